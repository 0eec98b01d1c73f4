/** Resolves the overlap of two adjacent windows: at the bucket they share, the later window's points win. */
import { keySeries } from "./keyed.ts";
import { filterPoints, lowerBound, slicePoints } from "./point-operations.ts";
import type { Points } from "./points.ts";
import { nameSeries, type Series, type TimeSeries } from "./time-series.ts";

/** Two answers with different values for one series and instant, outside the bucket they share. */
export interface Disagreement {
  readonly series: string;
  readonly stamp: string;
  readonly earlier: string;
  readonly later: string;
}

export interface MergedOverlap {
  /** Points of the earlier window before all points of the later one: final. */
  readonly settled: TimeSeries[];
  /** Other points of the earlier window that the later one does not replace. */
  readonly carried: TimeSeries[];
  readonly disagreements: Disagreement[];
}

/**
 * Finds the points of the earlier window that remain. Its last bucket is partial, and complete in the later window.
 * Otherwise a point is dropped only if both windows have it.
 */
export function mergeOverlap(earlier: readonly TimeSeries[], later: readonly TimeSeries[]): MergedOverlap {
  const [settled, overlap] = splitTimeSeries(earlier, findFirstInstant(later));
  if (countPoints(overlap) === 0) return { settled, carried: overlap, disagreements: [] };
  const shared = findLastInstant(earlier);
  const laterSeries = keySeries(later);
  const disagreements: Disagreement[] = [];
  const kept = new Map<Series, Points>();
  for (const { key, series } of keySeries(overlap).values()) {
    const after = laterSeries.get(key)?.series.points;
    kept.set(
      series,
      after ? filterPoints(series.points, (index) => !hasInstant(after, series.points.instants[index] as number)) : series.points,
    );
    if (after) for (const found of findDisagreements(series, after, shared)) disagreements.push(found);
  }
  const carried = overlap.map((item) => ({
    ...item,
    series: item.series.map((series) => ({ ...series, points: kept.get(series) ?? series.points })),
  }));
  return { settled, carried, disagreements };
}

/** All series twice: with their points before an instant, and with those from it on. */
export function splitTimeSeries(timeSeries: readonly TimeSeries[], instant: number): [before: TimeSeries[], after: TimeSeries[]] {
  const mapPoints = (take: (points: Points) => Points) =>
    timeSeries.map((item) => ({ ...item, series: item.series.map((series) => ({ ...series, points: take(series.points) })) }));
  return [
    mapPoints((points) => slicePoints(points, 0, lowerBound(points, instant))),
    mapPoints((points) => slicePoints(points, lowerBound(points, instant))),
  ];
}

/** The earliest instant of all points; Infinity without points. */
export function findFirstInstant(timeSeries: readonly TimeSeries[]): number {
  return listEnds(timeSeries, 0).reduce((first, instant) => Math.min(first, instant), Number.POSITIVE_INFINITY);
}

/** The latest instant of all points; -Infinity without points. */
export function findLastInstant(timeSeries: readonly TimeSeries[]): number {
  return listEnds(timeSeries, -1).reduce((last, instant) => Math.max(last, instant), Number.NEGATIVE_INFINITY);
}

export function countPoints(timeSeries: readonly TimeSeries[]): number {
  return timeSeries.reduce((sum, { series }) => sum + series.reduce((count, { points }) => count + points.instants.length, 0), 0);
}

function listEnds(timeSeries: readonly TimeSeries[], at: 0 | -1): number[] {
  return timeSeries.flatMap(({ series }) => series.map(({ points }) => points.instants.at(at))).filter((instant) => instant !== undefined);
}

export function hasInstant(points: Points, instant: number): boolean {
  return points.instants[lowerBound(points, instant)] === instant;
}

function* findDisagreements(series: Series, after: Points, shared: number): Generator<Disagreement> {
  const { points } = series;
  for (const [index, instant] of points.instants.entries()) {
    const other = lowerBound(after, instant);
    const repeated = points.instants[index - 1] === instant || after.instants[other + 1] === instant;
    if (instant === shared || after.instants[other] !== instant || repeated || points.values[index] === after.values[other]) continue;
    yield {
      series: nameSeries(series),
      stamp: points.stamps[index] as string,
      earlier: points.values[index] ?? "null",
      later: after.values[other] ?? "null",
    };
  }
}
