import { INTERVALS, type Interval } from "../../base/vocabulary.ts";
import { addBucket, nextBucketStart } from "../../time/buckets.ts";
import { MINUTE } from "../../time/local-time.ts";

/**
 * The end of the bucket of a timestamp, in milliseconds since 1970 UTC; undefined without interval, and for calendar months
 * without the offset of network time. Services name a season or a financial year after a day inside it: its end is the
 * next one's first day.
 */
export function findIntervalEnd(interval: Interval | undefined, instant: number, networkOffset: number | undefined): number | undefined {
  if (interval === undefined) return undefined;
  const { bucket } = INTERVALS[interval];
  if ("ms" in bucket) return instant + bucket.ms;
  if (networkOffset === undefined) return undefined;
  const local = instant + networkOffset * MINUTE;
  const end = interval === "season" || interval === "fy" ? nextBucketStart(interval, local) : addBucket(bucket, local);
  return end - networkOffset * MINUTE;
}
