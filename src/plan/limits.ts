import { usageError } from "../base/errors.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { bucketStartBy, nextBucketStartBy } from "../time/buckets.ts";
import { addDuration } from "../time/calendar.ts";
import { type Duration, formatDuration } from "../time/duration.ts";
import { type BucketRule, INTERVALS, type Interval, type IntervalFacts } from "../base/vocabulary.ts";

/** Limits of the window of one request. */
export interface Limits {
  /** The maximum that the service accepts; undefined for none. */
  readonly maxWindow: Duration | undefined;
  /** Where windows may be split: at the service's bucket starts, and between years of seasons. */
  readonly bucket: BucketRule;
}

/** The limits of an interval; without `maxWindow` those of a community key of the public service. */
export function findLimits(interval: Interval, maxWindow: MaxWindow | undefined): Limits {
  const { maxDays } = INTERVALS[interval];
  const bucket = findSplits(interval);
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

/** Whether what may not be split always fits into one request. Of sixteen buckets in a row, one is the longest that there is. */
export function holdsBuckets(maxWindow: MaxWindow, interval: Interval): boolean {
  if (maxWindow === "none") return true;
  const bucket = findSplits(interval);
  for (let [start, count] = [bucketStartBy(bucket, 0), 0]; count < 16; count++) {
    const next = nextBucketStartBy(bucket, start);
    if (addDuration(start, maxWindow) < next) return false;
    start = next;
  }
  return true;
}

/** What a window is never split inside of. */
export function describeWhole(interval: Interval): string {
  return interval === "season" ? "a year: seasons are only split at 1 January" : `a bucket of ${interval}`;
}

export function limitTooShort(interval: Interval, { maxWindow }: Limits): Error {
  const limit = maxWindow === undefined ? "" : `, ${formatDuration(maxWindow)},`;
  const longer = interval === "season" ? `${FETCH_FLAGS.maxWindow} 1y` : `a longer ${FETCH_FLAGS.maxWindow}`;
  return usageError(
    `the maximum window of one request${limit} is shorter than ${describeWhole(interval)}`,
    `use a finer ${QUERY_FLAGS.interval} or ${longer}`,
  );
}

function findSplits(interval: Interval): BucketRule {
  const facts: IntervalFacts = INTERVALS[interval];
  return facts.splits ?? facts.bucket;
}

/** `--max-window`: a duration, or none. */
export type MaxWindow = Duration | "none";
