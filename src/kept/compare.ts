/** What has changed from some answers to newer ones of the same window, point by point. Pure. */
import { keySeries } from "../series/keyed.ts";
import { stampAt, valueAt } from "../series/point-operations.ts";
import { NO_POINTS, type Points } from "../series/points.ts";
import type { Labels, Series, TimeSeries } from "../series/time-series.ts";

/** A point that was restated or withdrawn. */
export interface Change {
  /** As sent. */
  readonly stamp: string;
  readonly network: string;
  readonly metric: string;
  readonly labels: Labels;
  /** Digits, or a text. */
  readonly old: string;
  /** Undefined if withdrawn. */
  readonly now: string | undefined;
}

/** Counted in points with a value. */
export interface Comparison {
  added: number;
  unchanged: number;
  readonly changes: Change[];
}

export function startComparison(): Comparison {
  return { added: 0, unchanged: 0, changes: [] };
}

/** Adds to a comparison. A point without a value is none: nulls fill gaps. */
export function comparePoints(older: readonly TimeSeries[], newer: readonly TimeSeries[], into: Comparison): void {
  const [before, after] = [keySeries(older), keySeries(newer)];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const { item, series } = (after.get(key) ?? before.get(key)) as { item: TimeSeries; series: Series };
    compareSeries(before.get(key)?.series.points ?? NO_POINTS, after.get(key)?.series.points ?? NO_POINTS, {
      tell: (stamp, old, now) => into.changes.push({ stamp, old, now, network: item.network, metric: item.metric, labels: series.labels }),
      into,
    });
  }
}

interface Telling {
  readonly tell: (stamp: string, old: string, now: string | undefined) => void;
  readonly into: Comparison;
}

/** Both in order of time. */
function compareSeries(before: Points, after: Points, { tell, into }: Telling): void {
  for (let [old, now] = [0, 0]; old < before.instants.length || now < after.instants.length; ) {
    const [was, is] = [before.instants[old] ?? Number.POSITIVE_INFINITY, after.instants[now] ?? Number.POSITIVE_INFINITY];
    const value = was <= is ? valueAt(before, old) : null;
    const next = is <= was ? valueAt(after, now) : null;
    if (value === null && next !== null) into.added++;
    else if (value !== null && next !== null && isEqual(value, next)) into.unchanged++;
    else if (value !== null) tell(stampAt(before, old), value, next ?? undefined);
    if (was <= is) old++;
    if (is <= was) now++;
  }
}

/** Digit by digit: `40.0` and `40.00` are one value, however long. */
function isEqual(a: string, b: string): boolean {
  return a === b || trim(a) === trim(b);
}

function trim(digits: string): string {
  return /^-?\d+\.\d*$/.test(digits) ? digits.replace(/\.?0+$/, "") : digits;
}
