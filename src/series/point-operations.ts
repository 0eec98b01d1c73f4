import { NO_POINTS, type Points } from "./points.ts";
import { concatScanned } from "./scanned-join.ts";
import { ScannedPoints } from "./scanned-points.ts";

/** The index of the first point at or after an instant. */
export function lowerBound({ instants }: Points, instant: number): number {
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
export function stampAt(points: Points, index: number): string {
  return points instanceof ScannedPoints ? points.stampAt(index) : (points.stamps[index] as string);
}

/** One value, without decoding all of them. */
export function valueAt(points: Points, index: number): string | null {
  return points instanceof ScannedPoints ? points.valueAt(index) : (points.values[index] ?? null);
}

/** Whether a point later than the first and earlier than the last has no value. */
export function hasInnerNull(points: Points): boolean {
  const { instants } = points;
  const from = lowerBound(points, (instants[0] ?? 0) + 1);
  const index = points instanceof ScannedPoints ? points.columns.lengths.indexOf(0, from) : points.values.indexOf(null, from);
  return index >= 0 && (instants[index] as number) < (instants.at(-1) as number);
}

/** The points from index `from` (inclusive) to `to` (exclusive). */
export function slicePoints(points: Points, from: number, to?: number): Points {
  // A view of memory, even an empty one, is costly where there are very many series.
  if (from >= (to ?? points.instants.length)) return NO_POINTS;
  if (points instanceof ScannedPoints) return dropEmpty(points.slice(from, to));
  const { stamps, instants, values } = points;
  return { stamps: stamps.slice(from, to), instants: instants.slice(from, to), values: values.slice(from, to) };
}

export function filterPoints(points: Points, keep: (index: number) => boolean): Points {
  if (points instanceof ScannedPoints) return dropEmpty(points.filter(keep));
  const pick = <T>(column: readonly T[]) => column.filter((_, index) => keep(index));
  return { stamps: pick(points.stamps), instants: pick([...points.instants]), values: pick(points.values) };
}

/** No points are of no body. */
function dropEmpty(points: ScannedPoints): Points {
  return points.instants.length === 0 ? NO_POINTS : points;
}

/** The points of all parts by instant; equal instants in the order of the parts. */
export function joinPoints(parts: readonly Points[]): Points {
  const filled = parts.filter(({ instants }) => instants.length > 0);
  if (filled.length <= 1) return filled[0] ?? NO_POINTS;
  const scanned = filled.filter((part) => part instanceof ScannedPoints);
  const joined = scanned.length === filled.length && isInOrder(filled) ? concatScanned(scanned) : undefined;
  if (joined) return joined;
  return sortPoints({
    stamps: filled.flatMap(({ stamps }) => stamps),
    instants: filled.flatMap(({ instants }) => [...instants]),
    values: filled.flatMap(({ values }) => values),
  });
}

/** Whether no part has a point before the last of the part before it. */
function isInOrder(parts: readonly Points[]): boolean {
  return parts.every(({ instants }, index) => index === 0 || (instants[0] as number) >= (parts[index - 1]?.instants.at(-1) as number));
}

/** Points by instant; equal instants keep their order. */
export function sortPoints(points: Points): Points {
  const { stamps, instants, values } = points;
  if (instants.every((instant, index) => index === 0 || (instants[index - 1] as number) <= instant)) return points;
  const order = Array.from(instants, (instant, index) => ({ instant, index })).sort((a, b) => a.instant - b.instant);
  const pick = <T>(column: readonly T[]) => order.map(({ index }) => column[index] as T);
  return { stamps: pick(stamps), instants: order.map(({ instant }) => instant), values: pick(values) };
}
