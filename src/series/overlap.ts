/** Resolves the overlap of two adjacent windows: at the interval they share, the later window's points win. */
import { keySeries, mapPoints, nameSeries, type Series, type TimeSeries } from "./time-series.ts";
import { filterPoints, lowerBound, slicePoints } from "./point-operations.ts";
import { type Points, ScannedPoints } from "./points.ts";

interface MergedOverlap {
  /** Points of the earlier window before all points of the later one: final. */
  readonly settled: TimeSeries[];
  /** Other points of the earlier window that the later one does not replace. */
  readonly carried: TimeSeries[];
  /** Messages about different values for one series and instant, outside the interval that both windows share. */
  readonly disagreements: string[];
}

/**
 * Drops points of the earlier window that the later one also has, as the earlier one's last interval may be partial.
 */
export function mergeOverlap(earlier: readonly TimeSeries[], later: readonly TimeSeries[]): MergedOverlap {
  const [settled, overlap] = splitTimeSeries(earlier, findFirstInstant(later));
  if (countPoints(overlap) === 0) return { settled, carried: overlap, disagreements: [] };
  const shared = findLastInstant(earlier);
  const laterSeries = keySeries(later);
  const disagreements: string[] = [];
  const kept = new Map<Series, Points>();
  for (const [key, { series }] of keySeries(overlap)) {
    const { points } = series;
    const after = laterSeries.get(key)?.series.points;
    if (!after) continue;
    kept.set(
      series,
      filterPoints(points, (index) => !hasInstant(after, points.instants[index] as number)),
    );
    for (const found of findDisagreements(series, after, shared)) disagreements.push(found);
  }
  return { settled, carried: mapPoints(overlap, (series) => kept.get(series) ?? series.points), disagreements };
}

/** Splits all series at an instant: points before it, and points from it on. */
export function splitTimeSeries(
  timeSeries: readonly TimeSeries[],
  instant: number,
): [before: TimeSeries[], after: TimeSeries[]] {
  return [
    mapPoints(timeSeries, ({ points }) => slicePoints(points, 0, lowerBound(points, instant))),
    mapPoints(timeSeries, ({ points }) => slicePoints(points, lowerBound(points, instant))),
  ];
}

/** The earliest instant of all points; Infinity without points. */
export function findFirstInstant(timeSeries: readonly TimeSeries[]): number {
  return listEdgeInstants(timeSeries, 0).reduce((first, instant) => Math.min(first, instant), Number.POSITIVE_INFINITY);
}

/** The latest instant of all points; -Infinity without points. */
export function findLastInstant(timeSeries: readonly TimeSeries[]): number {
  return listEdgeInstants(timeSeries, -1).reduce((last, instant) => Math.max(last, instant), Number.NEGATIVE_INFINITY);
}

export function countPoints(timeSeries: readonly TimeSeries[]): number {
  return timeSeries.reduce(
    (sum, { series }) => sum + series.reduce((count, { points }) => count + points.instants.length, 0),
    0,
  );
}

/** The number of points before an instant that have a value. */
export function countValues(timeSeries: readonly TimeSeries[], before = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (const { points } of timeSeries.flatMap(({ series }) => series)) {
    const values: ArrayLike<unknown> = points instanceof ScannedPoints ? points.columns.lengths : points.values;
    const end = lowerBound(points, before);
    for (let index = 0; index < end; index++) if (values[index] !== 0 && values[index] !== null) count++;
  }
  return count;
}

function listEdgeInstants(timeSeries: readonly TimeSeries[], at: 0 | -1): number[] {
  return timeSeries
    .flatMap(({ series }) => series.map(({ points }) => points.instants.at(at)))
    .filter((instant) => instant !== undefined);
}

export function hasInstant(points: Points, instant: number): boolean {
  return points.instants[lowerBound(points, instant)] === instant;
}

function* findDisagreements(series: Series, after: Points, shared: number): Generator<string> {
  const { points } = series;
  for (const [index, instant] of points.instants.entries()) {
    const other = lowerBound(after, instant);
    const repeated = points.instants[index - 1] === instant || after.instants[other + 1] === instant;
    if (
      instant === shared ||
      after.instants[other] !== instant ||
      repeated ||
      points.values[index] === after.values[other]
    )
      continue;
    const [earlier, later] = [points.values[index] ?? "null", after.values[other] ?? "null"];
    yield `two responses disagree on ${nameSeries(series)} at ${points.timestamps[index]}: ${earlier} in the earlier, ${later} in the later; using the later`;
  }
}
