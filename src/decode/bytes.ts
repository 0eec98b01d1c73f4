/** JSON punctuation, numbers and timestamps as bytes. */
export const QUOTE = 0x22;
const PLUS = 0x2b;
export const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
export const COLON = 0x3a;
const UPPER_E = 0x45;
const UPPER_T = 0x54;
const UPPER_Z = 0x5a;
export const OPEN = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE = 0x5d;
const LOWER_E = 0x65;
export const LOWER_N = 0x6e;

/** The index of the first byte at or after `from` that is not white space. */
export function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at++;
  }
}

/** The index after a JSON number or `null`, or -1. */
export function findValueEnd(bytes: Buffer, start: number): number {
  if (bytes[start] === LOWER_N) return bytes.toString("latin1", start, start + 4) === "null" ? start + 4 : -1;
  const whole = bytes[start] === MINUS ? start + 1 : start;
  let at = skipDigits(bytes, whole);
  if (at === whole || (bytes[whole] === ZERO && at > whole + 1)) return -1;
  if (bytes[at] === POINT) {
    const fraction = at + 1;
    at = skipDigits(bytes, fraction);
    if (at === fraction) return -1;
  }
  if (bytes[at] !== LOWER_E && bytes[at] !== UPPER_E) return at;
  const sign = bytes[at + 1];
  const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
  at = skipDigits(bytes, exponent);
  return at === exponent ? -1 : at;
}

function skipDigits(bytes: Buffer, start: number): number {
  let at = start;
  while ((bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at++;
  return at;
}

/**
 * Parses the timestamps of one body, such as `2025-01-31T14:05:00+10:00`; most have the same date and offset as the
 * previous one.
 */
export class TimestampScanner {
  readonly #bytes: Buffer;
  /** Byte positions of the previous date and offset, and their values in milliseconds. */
  #date = -1;
  #dateMs = 0;
  #offset = -1;
  #offsetMs = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The index of the closing quote after `2025-01-31T14:05:00` and `Z` or `+10:00`, or -1. */
  findEnd(start: number): number {
    const bytes = this.#bytes;
    if (bytes[start + 10] !== UPPER_T || bytes[start + 13] !== COLON || bytes[start + 16] !== COLON) return -1;
    const end = bytes[start + 19] === UPPER_Z ? start + 20 : start + 25;
    return bytes[end] === QUOTE ? end : -1;
  }

  /** Milliseconds since 1970 UTC; NaN for an invalid timestamp. */
  readInstant(start: number, end: number): number {
    if (this.#date < 0 || !this.#equals(this.#date, start, 10)) {
      this.#dateMs = this.#readDate(start);
      this.#date = start;
    }
    const offset = start + 19;
    if (end - offset === 1) this.#offsetMs = 0;
    else if (this.#offset < 0 || !this.#equals(this.#offset, offset, 6)) this.#offsetMs = this.#readOffset(offset);
    this.#offset = end - offset === 1 ? -1 : offset;
    const hour = this.#readPair(start + 11, 23);
    const minute = this.#readPair(start + 14, 59);
    const second = this.#readPair(start + 17, 59);
    return this.#dateMs + hour * 3_600_000 + minute * 60_000 + second * 1000 - this.#offsetMs;
  }

  /** Milliseconds since 1970; NaN for a date that does not exist. */
  #readDate(start: number): number {
    const bytes = this.#bytes;
    if (bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return Number.NaN;
    const year = this.#readPair(start, 99) * 100 + this.#readPair(start + 2, 99);
    const month = this.#readPair(start + 5, 12);
    const day = this.#readPair(start + 8, 31);
    const ms = Date.UTC(year, month - 1, day);
    const date = new Date(ms);
    // Date.UTC reads years below 100 as 19xx.
    return year >= 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : Number.NaN;
  }

  #readOffset(start: number): number {
    const bytes = this.#bytes;
    const sign = bytes[start] === PLUS ? 1 : bytes[start] === MINUS ? -1 : Number.NaN;
    if (bytes[start + 3] !== COLON) return Number.NaN;
    return sign * (this.#readPair(start + 1, 23) * 60 + this.#readPair(start + 4, 59)) * 60_000;
  }

  /** Two digits, at most `max`; NaN for anything else. */
  #readPair(start: number, max: number): number {
    const tens = (this.#bytes[start] as number) - ZERO;
    const ones = (this.#bytes[start + 1] as number) - ZERO;
    const value = tens * 10 + ones;
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 && value <= max ? value : Number.NaN;
  }

  #equals(a: number, b: number, length: number): boolean {
    const bytes = this.#bytes;
    for (let index = 0; index < length; index++) if (bytes[a + index] !== bytes[b + index]) return false;
    return true;
  }
}
