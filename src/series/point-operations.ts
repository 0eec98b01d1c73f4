/** Operations on points. Numbers are read as the nearest double. */
import { NO_POINTS, type Points, concatScanned, ScannedPoints } from "./points.ts";

/** The index of the first point at or after an instant. */
export function lowerBound({ instants }: Pick<Points, "instants">, instant: number): number {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((instants[middle] as number) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One timestamp, without decoding all of them. */
export function timestampAt(points: Points, index: number): string {
  return points instanceof ScannedPoints ? points.timestampAt(index) : (points.timestamps[index] as string);
}

/** One value, without decoding all of them. */
export function valueAt(points: Points, index: number): string | null {
  return points instanceof ScannedPoints ? points.valueAt(index) : (points.values[index] ?? null);
}

/** True for a computed value that is null because there is nothing to divide by: no value is missing. */
export function isKnownNull({ ratio }: Points, index: number): boolean {
  return ratio !== undefined && !Number.isNaN(ratio.under[index]);
}

/** True if a point strictly between the first and the last instant is null. */
export function hasInnerNull(points: Points): boolean {
  const { instants } = points;
  const from = lowerBound(points, (instants[0] ?? 0) + 1);
  const index =
    points instanceof ScannedPoints ? points.columns.lengths.indexOf(0, from) : points.values.indexOf(null, from);
  return index >= 0 && (instants[index] as number) < (instants.at(-1) as number);
}

/** The points from index `from` (inclusive) to `to` (exclusive). */
export function slicePoints(points: Points, from: number, to = points.instants.length): Points {
  // A typed-array view, even an empty one, is costly with very many series.
  if (from >= to) return NO_POINTS;
  if (from === 0 && to === points.instants.length) return points;
  if (points instanceof ScannedPoints) return points.map((column) => column.subarray(from, to) as typeof column);
  return mapColumns(points, (column) => column.slice(from, to));
}

/** Applies the same change to each column of points that are not bytes of a body. */
function mapColumns(
  { timestamps, instants, values, ratio }: Points,
  change: <T>(column: readonly T[]) => readonly T[],
): Points {
  const changed = { timestamps: change(timestamps), instants: change([...instants]), values: change(values) };
  return ratio ? { ...changed, ratio: { ...ratio, over: change(ratio.over), under: change(ratio.under) } } : changed;
}

export function filterPoints(points: Points, keep: (index: number) => boolean): Points {
  if (points instanceof ScannedPoints) {
    const kept = points.map((column) => column.filter((_: number, index: number) => keep(index)) as typeof column);
    // An empty view would still keep its body in memory.
    return kept.instants.length === 0 ? NO_POINTS : kept;
  }
  return mapColumns(points, (column) => column.filter((_, index) => keep(index)));
}

/** Joins the points of all parts, ordered by instant, then by part. */
export function joinPoints(parts: readonly Points[]): Points {
  const filled = parts.filter(({ instants }) => instants.length > 0);
  if (filled.length <= 1) return filled[0] ?? NO_POINTS;
  const scanned = filled.filter((part) => part instanceof ScannedPoints);
  const joined = scanned.length === filled.length && isInOrder(filled) ? concatScanned(scanned) : undefined;
  if (joined) return joined;
  const ratios = filled.flatMap(({ ratio }) => ratio ?? []);
  return sortPoints({
    timestamps: filled.flatMap(({ timestamps }) => timestamps),
    instants: filled.flatMap(({ instants }) => [...instants]),
    values: filled.flatMap(({ values }) => values),
    ...(ratios.length > 0
      ? { ratio: { over: ratios.flatMap(({ over }) => over), under: ratios.flatMap(({ under }) => under) } }
      : {}),
  });
}

/** True if each part starts at or after the end of the previous one. */
function isInOrder(parts: readonly Points[]): boolean {
  return parts.every(
    ({ instants }, index) => index === 0 || (instants[0] as number) >= (parts[index - 1]?.instants.at(-1) as number),
  );
}

/** Sorts points by instant; equal instants keep their order. */
export function sortPoints(points: Points): Points {
  const { instants } = points;
  if (instants.every((instant, index) => index === 0 || (instants[index - 1] as number) <= instant)) return points;
  const order = Array.from(instants, (instant, index) => ({ instant, index })).sort((a, b) => a.instant - b.instant);
  return mapColumns(points, <T>(column: readonly T[]) => order.map(({ index }) => column[index] as T));
}

/** Reads one value: NaN for null, undefined if it is not a number. */
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
/** The powers of ten that a double represents exactly. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Parses a JSON number from bytes. Digits that fit in 53 bits are divided by an exact power of ten: a single rounding,
 * so the result equals that of `Number`. Anything else is left to `Number`.
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
