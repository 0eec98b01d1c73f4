/** Steps from bucket to bucket of a series, by its interval. */
import { type BucketRule, INTERVALS, type Interval, isInterval } from "../../base/vocabulary.ts";
import { addBucket } from "../../time/buckets.ts";
import { findOffsetMs } from "../network-offset.ts";
import type { TimeSeries } from "../time-series.ts";

export interface BucketStepper {
  /** The instant one bucket later. */
  readonly next: (instant: number) => number;
  /** Whether there are buckets between two instants, the later of which is a number of buckets after the earlier. */
  readonly isGap: (from: number, to: number) => boolean;
  /** The buckets between two instants. */
  readonly countBetween: (from: number, to: number) => number;
}

/** Undefined where the interval is unknown. */
export function createStepper(item: TimeSeries, asked: Interval | undefined): BucketStepper | undefined {
  const named = item.fields["interval"];
  const interval = asked ?? (typeof named === "string" && isInterval(named) ? named : undefined);
  return interval && createStepperOf(interval, findOffsetMs(item.network, [item]) ?? 0);
}

/** `offset`: milliseconds by which network time is ahead of UTC. */
export function createStepperOf(interval: Interval, offset: number): BucketStepper {
  const { bucket } = INTERVALS[interval];
  return "ms" in bucket ? stepBy(bucket.ms) : stepByMonths(bucket, offset);
}

function stepBy(ms: number): BucketStepper {
  return {
    next: (instant) => instant + ms,
    isGap: (from, to) => to > from + ms && (to - from) % ms === 0,
    countBetween: (from, to) => Math.max(0, Math.ceil((to - from) / ms) - 1),
  };
}

function stepByMonths(bucket: BucketRule, offset: number): BucketStepper {
  const next = (instant: number) => addBucket(bucket, instant + offset) - offset;
  const isGap = (from: number, to: number) => {
    let reached = next(from);
    if (reached >= to) return false;
    while (reached < to) reached = next(reached);
    return reached === to;
  };
  const countBetween = (from: number, to: number) => {
    let count = 0;
    for (let reached = next(from); reached < to; reached = next(reached)) count++;
    return count;
  };
  return { next, isGap, countBetween };
}
