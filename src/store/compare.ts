/** Compares older and newer responses for one window, point by point. Pure. */
import { isForecast } from "../base/vocabulary.ts";
import { keySeries, type Labels, type Series, type TimeSeries } from "../series/time-series.ts";
import { hasSameBytes, NO_POINTS, type Points } from "../series/points.ts";
import { timestampAt, valueAt } from "../series/point-operations.ts";

/** A point that was added, restated or withdrawn. */
export interface Change {
  /** In milliseconds since 1970 UTC. */
  readonly instant: number;
  /** The timestamp as sent. */
  readonly timestamp: string;
  readonly network: string;
  readonly metric: string;
  readonly labels: Labels;
  /** The value as sent; undefined if added. */
  readonly old: string | undefined;
  /** Undefined if withdrawn. */
  readonly now: string | undefined;
}

/** Treats a null like a missing point, since services fill gaps with nulls. */
export function* comparePoints(older: readonly TimeSeries[], newer: readonly TimeSeries[]): Generator<Change> {
  const [before, after] = [keySeries(older), keySeries(newer)];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const { item, series } = (after.get(key) ?? before.get(key)) as { item: TimeSeries; series: Series };
    const place = { network: item.network, metric: item.metric, labels: series.labels };
    const [was, is] = [before, after].map((all) => all.get(key)?.series.points ?? NO_POINTS) as [Points, Points];
    for (const point of compareSeries(was, is)) {
      // A newer run of a forecast restates nothing.
      if (point.old === undefined || point.now === undefined || !isForecast(item.metric)) yield { ...place, ...point };
    }
  }
}

function* compareSeries(
  before: Points,
  after: Points,
): Generator<Pick<Change, "instant" | "timestamp" | "old" | "now">> {
  if (hasSameBytes(before, after)) return;
  for (let [old, now] = [0, 0]; old < before.instants.length || now < after.instants.length; ) {
    const [was, is] = [
      before.instants[old] ?? Number.POSITIVE_INFINITY,
      after.instants[now] ?? Number.POSITIVE_INFINITY,
    ];
    const value = was <= is ? valueAt(before, old) : null;
    const next = is <= was ? valueAt(after, now) : null;
    if (value !== next && (value === null || next === null || trim(value) !== trim(next))) {
      const timestamp = was <= is ? timestampAt(before, old) : timestampAt(after, now);
      yield { instant: Math.min(was, is), timestamp, old: value ?? undefined, now: next ?? undefined };
    }
    if (was <= is) old++;
    if (is <= was) now++;
  }
}

/** Removes trailing zeros, so that values of any length can be compared as text: `40.0` equals `40.00`. */
function trim(digits: string): string {
  return /^-?\d+\.\d*$/.test(digits) ? digits.replace(/\.?0+$/, "") : digits;
}
