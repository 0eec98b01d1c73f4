/** What two neighbouring windows make together: the later request's points win at the bucket that they share. */
import { keySeries } from "./keyed.ts";
import { filterPoints, findFrom, slicePoints } from "./point-operations.ts";
import type { Points } from "./points.ts";
import type { Series, TimeSeries } from "./time-series.ts";

/** Two answers that give a series different values at one instant, away from the bucket that they share. */
export interface Disagreement {
  readonly series: string;
  readonly stamp: string;
  readonly earlier: string;
  readonly later: string;
}

export interface Settlement {
  /** Points of the earlier window before any of the later one. */
  readonly settled: TimeSeries[];
  /** Points of the earlier window that stand beside those of the later one. */
  readonly carried: TimeSeries[];
  readonly disagreements: Disagreement[];
}

/**
 * Settles what a later window leaves of an earlier one. The bucket that both requests touch is the earlier one's last,
 * and partial there: the later request has it whole. Nothing else is dropped but what both say alike.
 */
export function settleWindows(earlier: readonly TimeSeries[], later: readonly TimeSeries[]): Settlement {
  const [settled, overlap] = splitTimeSeries(earlier, findFirstInstant(later));
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
    if (after) disagreements.push(...findDisagreements(series, after, shared));
  }
  const carried = overlap.map((item) => ({
    ...item,
    series: item.series.map((series) => ({ ...series, points: kept.get(series) ?? series.points })),
  }));
  return { settled, carried, disagreements };
}

/** The same series twice: their points before an instant, and from it on. */
export function splitTimeSeries(timeSeries: readonly TimeSeries[], instant: number): [before: TimeSeries[], after: TimeSeries[]] {
  const cut = (take: (points: Points) => Points) =>
    timeSeries.map((item) => ({ ...item, series: item.series.map((series) => ({ ...series, points: take(series.points) })) }));
  return [
    cut((points) => slicePoints(points, 0, findFrom(points, instant))),
    cut((points) => slicePoints(points, findFrom(points, instant))),
  ];
}

/** The earliest instant of any point; infinite when there is none. */
export function findFirstInstant(timeSeries: readonly TimeSeries[]): number {
  return Math.min(...listEnds(timeSeries, 0), Number.POSITIVE_INFINITY);
}

/** The latest instant of any point; infinitely early when there is none. */
export function findLastInstant(timeSeries: readonly TimeSeries[]): number {
  return Math.max(...listEnds(timeSeries, -1), Number.NEGATIVE_INFINITY);
}

/** How many points there are. */
export function countPoints(timeSeries: readonly TimeSeries[]): number {
  return timeSeries.reduce((sum, { series }) => sum + series.reduce((count, { points }) => count + points.instants.length, 0), 0);
}

function listEnds(timeSeries: readonly TimeSeries[], at: 0 | -1): number[] {
  return timeSeries.flatMap(({ series }) => series.map(({ points }) => points.instants.at(at))).filter((instant) => instant !== undefined);
}

function hasInstant(points: Points, instant: number): boolean {
  return points.instants[findFrom(points, instant)] === instant;
}

function findDisagreements({ labels, points, fields }: Series, after: Points, shared: number): Disagreement[] {
  const found: Disagreement[] = [];
  for (const [index, instant] of points.instants.entries()) {
    const other = findFrom(after, instant);
    const repeated = points.instants[index - 1] === instant || after.instants[other + 1] === instant;
    if (instant === shared || after.instants[other] !== instant || repeated || points.values[index] === after.values[other]) continue;
    found.push({
      series: typeof fields["name"] === "string" ? fields["name"] : JSON.stringify(labels),
      stamp: points.stamps[index] as string,
      earlier: points.values[index] ?? "null",
      later: after.values[other] ?? "null",
    });
  }
  return found;
}
