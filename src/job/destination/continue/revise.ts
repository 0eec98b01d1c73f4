/** From where on an output is fetched again. */
import type { Interval } from "../../../base/vocabulary.ts";
import { bucketStart } from "../../../time/buckets.ts";
import { subtractDuration } from "../../../time/calendar.ts";
import type { Duration } from "../../../time/duration.ts";
import type { LocalTime } from "../../../time/local-time.ts";

export interface Revision {
  /** Rows from here on are replaced. */
  readonly from: LocalTime;
  /** The window starts a bucket earlier: buckets may start later than those of ents, and the first one of a window is partial. */
  readonly start: LocalTime;
}

/** A bucket more than was asked for: the service's bucket of that moment may have started in the one before. */
export function reviseFrom(last: LocalTime, revise: Duration, interval: Interval): Revision {
  const from = previousBucket(bucketStart(ruleOf(interval), subtractDuration(last, revise)), interval);
  return { from, start: previousBucket(from, interval) };
}

/** The start of the last bucket that begins before this moment. */
export function previousBucket(local: LocalTime, interval: Interval): LocalTime {
  return bucketStart(ruleOf(interval), local - 1);
}

/** Services may count December with January and February of the same year. */
function ruleOf(interval: Interval): Interval {
  return interval === "season" ? "1y" : interval;
}
