/** Whether a service fills gaps with nulls, as far as an answer shows it. */
import { INTERVALS, type Interval, isInterval } from "../base/vocabulary.ts";
import { addBucket } from "../time/buckets.ts";
import { findOffsetMs } from "./network-offset.ts";
import { hasInnerNull } from "./point-operations.ts";
import type { Instants } from "./points.ts";
import type { TimeSeries } from "./time-series.ts";

/** The instant one bucket later. */
export type Step = (instant: number) => number;

/** Undefined where the interval is unknown. */
export function createStep(item: TimeSeries, asked: Interval | undefined): Step | undefined {
  const named = item.fields["interval"];
  const interval = asked ?? (typeof named === "string" && isInterval(named) ? named : undefined);
  if (interval === undefined) return undefined;
  const { bucket } = INTERVALS[interval];
  if ("ms" in bucket) return (instant) => instant + bucket.ms;
  const offset = findOffsetMs(item.network, [item]) ?? 0;
  return (instant) => addBucket(bucket, instant + offset) - offset;
}

/** False: a bucket is missing inside a series. True: none is, and one is null. Undefined: neither. */
export function showFilling(timeSeries: readonly TimeSeries[], asked: Interval | undefined): boolean | undefined {
  let hasNull = false;
  let checked: Instants | undefined;
  for (const item of timeSeries) {
    const step = createStep(item, asked);
    if (!step) return undefined;
    for (const { points } of item.series) {
      // Most series of an answer share their instants.
      if (points.instants !== checked && missesBucket(points.instants, step)) return false;
      checked = points.instants;
      hasNull ||= hasInnerNull(points);
    }
  }
  return hasNull || undefined;
}

function missesBucket(instants: Instants, step: Step): boolean {
  for (let index = 1; index < instants.length; index++) {
    if ((instants[index] as number) > step(instants[index - 1] as number)) return true;
  }
  return false;
}
