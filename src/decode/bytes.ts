/** JSON punctuation and numbers as bytes. */

export const QUOTE = 0x22;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
const POINT = 0x2e;
export const ZERO = 0x30;
const NINE = 0x39;
export const COLON = 0x3a;
const UPPER_E = 0x45;
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
