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
  const decimals = numbers.flatMap((json) => parseDecimal(json) ?? []);
  if (decimals.length === 0) return undefined;
  const scale = decimals.reduce((most, decimal) => Math.max(most, decimal.scale), 0);
  const sum = decimals.reduce((units, decimal) => units + decimal.units * 10n ** BigInt(scale - decimal.scale), 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, "0");
  const sign = sum < 0n ? "-" : "";
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

export function negate(json: string): string {
  return json.startsWith("-") ? json.slice(1) : `-${json}`;
}
