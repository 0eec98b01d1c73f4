/** Numbers as doubles: the nearest to what the service sent. */
import type { Points } from "./points.ts";
import { ScannedPoints } from "./scanned-points.ts";
import { valueAt } from "./point-operations.ts";

/** NaN for null; undefined for what is no number. */
export type NumberReader = (index: number) => number | undefined;

export function createNumberReader(points: Points): NumberReader {
  if (!(points instanceof ScannedPoints)) return (index) => parseNumber(valueAt(points, index));
  const { starts, gaps, lengths, body } = points.columns;
  const { bytes } = body;
  return (index) => {
    const length = lengths[index] as number;
    return length === 0 ? Number.NaN : readDouble(bytes, (starts[index] as number) + (gaps[index] as number), length);
  };
}

/** `json`: JSON text or null. */
export function parseNumber(json: string | null): number | undefined {
  if (json === null) return Number.NaN;
  return /^[-\d]/.test(json) ? Number(json) : undefined;
}

const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
/** Exact as doubles; larger ones are not. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * The double of a JSON number in bytes. Digits that fit in 53 bits over an exact power of ten are one division, rounded
 * once, as `Number` does it; anything else is left to `Number`.
 */
export function readDouble(bytes: Buffer, start: number, length: number): number {
  const end = start + length;
  const isNegative = bytes[start] === MINUS;
  let digits = 0;
  let point = end;
  for (let at = isNegative ? start + 1 : start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === DOT) point = at + 1;
    else if (byte < ZERO || byte > ZERO + 9) return Number(bytes.toString("latin1", start, end));
    else digits = digits * 10 + (byte - ZERO);
  }
  const power = POWERS[end - point];
  if (digits >= 2 ** 53 || power === undefined) return Number(bytes.toString("latin1", start, end));
  return isNegative ? -digits / power : digits / power;
}
