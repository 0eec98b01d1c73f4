/** Exact sums of decimal numbers as JSON text. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Digits that a sum may have: those of the largest and the smallest double, and many more. */
const MAX_SCALE = 2000;

interface Decimal {
  /** The number is this many units of 10 to the power of minus `scale`. */
  readonly units: bigint;
  readonly scale: number;
}

/** True for the text of a number that can be added up; no service sends others. */
export function isDecimal(json: string): boolean {
  return PLAIN.test(json) || parseDecimal(json) !== undefined;
}

/** Most numbers, which need not be parsed. */
const PLAIN = /^-?\d{1,30}(?:\.\d{1,30})?$/;

function parseDecimal(json: string): Decimal | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(json) ?? [];
  const scale = fraction.length - Number(exponent);
  if (whole === "" || Math.abs(scale) > MAX_SCALE) return undefined;
  const units = BigInt(sign + whole + fraction);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** The sum of numbers, with as many decimals as the number with the most; undefined without numbers. */
export function sumDecimals(numbers: readonly string[]): string | undefined {
  const sum = new DecimalSum();
  for (const json of numbers) sum.add(json);
  return sum.count === 0 ? undefined : sum.text;
}

/** The difference of two numbers; null if one of them is none. */
export function subtractDecimals(from: string | null, json: string | null): string | null {
  if (from === null || json === null || !isDecimal(from) || !isDecimal(json)) return null;
  return sumDecimals([from, negate(json)]) ?? null;
}

/** An exact sum of numbers that come and go. What is no number is not counted. */
export class DecimalSum {
  count = 0;
  /** The sum is this many units of 10 to the power of minus `#scale`. */
  #units = 0n;
  #scale = 0;
  /** How many numbers have so many decimals. */
  readonly #scales = new Map<number, number>();

  add(json: string): void {
    this.#change(json, 1);
  }

  /** Takes out a number that was added. */
  subtract(json: string): void {
    this.#change(json, -1);
  }

  #change(json: string, sign: 1 | -1): void {
    const decimal = parseDecimal(json);
    if (!decimal) return;
    const { units, scale } = decimal;
    if (scale > this.#scale) {
      this.#units *= 10n ** BigInt(scale - this.#scale);
      this.#scale = scale;
    }
    const scaled = scale === this.#scale ? units : units * 10n ** BigInt(this.#scale - scale);
    this.#units += sign > 0 ? scaled : -scaled;
    this.#scales.set(scale, (this.#scales.get(scale) ?? 0) + sign);
    this.count += sign;
  }

  /** With as many decimals as the number with the most. */
  get text(): string {
    let scale = 0;
    for (const [own, count] of this.#scales) if (count > 0 && own > scale) scale = own;
    const units = scale === this.#scale ? this.#units : this.#units / 10n ** BigInt(this.#scale - scale);
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
    const sign = units < 0n ? "-" : "";
    return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  }
}

export function negate(json: string): string {
  return json.startsWith("-") ? json.slice(1) : `-${json}`;
}
