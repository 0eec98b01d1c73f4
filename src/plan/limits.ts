import { bucketStart, nextBucketStart } from "../time/buckets.ts";
import { addDuration } from "../time/calendar.ts";
import type { Duration } from "../time/duration.ts";
import { type BucketRule, INTERVALS, type Interval } from "../base/vocabulary.ts";

/** Limits of the window of one request. */
export interface Limits {
  /** The maximum that the service accepts; undefined for none. */
  readonly maxWindow: Duration | undefined;
  /** The service's bucket starts: a window may be split only there. */
  readonly bucket: BucketRule;
}

/** The limits of an interval; without `maxWindow` those of a community key of the public service. */
export function findLimits(interval: Interval, maxWindow: MaxWindow | undefined): Limits {
  const { bucket, maxDays } = INTERVALS[interval];
  if (maxWindow === "none") return { maxWindow: undefined, bucket };
  return { maxWindow: maxWindow ?? limitByDefault(interval, maxDays.community), bucket };
}

/**
 * The maximum by default where a key's plan allows so many days; none for months and longer: services have calendars of their
 * own for those, and the history of a community key is shorter than its limits for them.
 */
export function limitByDefault(interval: Interval, days: number): Duration | undefined {
  return SPLIT_INTERVALS.includes(interval) ? { amount: days, unit: "days" } : undefined;
}

/** The intervals of which long windows are split by default. */
export const SPLIT_INTERVALS: readonly Interval[] = (Object.keys(INTERVALS) as Interval[]).filter(
  (interval) => "ms" in INTERVALS[interval].bucket,
);

/** Whether any bucket of the interval fits into one request. Of sixteen buckets in a row, one is the longest that there is. */
export function holdsBuckets(maxWindow: MaxWindow, interval: Interval): boolean {
  if (maxWindow === "none") return true;
  for (let [start, count] = [bucketStart(interval, 0), 0]; count < 16; count++) {
    const next = nextBucketStart(interval, start);
    if (addDuration(start, maxWindow) < next) return false;
    start = next;
  }
  return true;
}

/** `--max-window`: a duration, or none. */
export type MaxWindow = Duration | "none";
