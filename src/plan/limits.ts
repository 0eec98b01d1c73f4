import type { Duration } from "../time/duration.ts";
import { type BucketRule, INTERVALS, type Interval } from "../base/vocabulary.ts";

/** What bounds a window of one request. */
export interface Limits {
  /** The longest window that the service accepts; undefined for no bound. */
  readonly maxWindow: Duration | undefined;
  /** Where the service's buckets start, and so where a window may be cut. */
  readonly bucket: BucketRule;
}

/** The limits of an interval: the public service's for a community key, unless a longest window is given. */
export function findLimits(interval: Interval, given: MaxWindow | undefined): Limits {
  const { bucket, maxDays } = INTERVALS[interval];
  if (given === "none") return { maxWindow: undefined, bucket };
  return { maxWindow: given ?? { amount: maxDays.community, unit: "days" }, bucket };
}

/** `--max-window`: a duration, or none. */
export type MaxWindow = Duration | "none";
