/** From where on an output is fetched again. */
import type { Interval } from "../../../base/vocabulary.ts";
import { bucketStart } from "../../../time/buckets.ts";
import { subtractDuration } from "../../../time/calendar.ts";
import type { Duration } from "../../../time/duration.ts";
import type { LocalTime } from "../../../time/local-time.ts";
import type { NetworkClock } from "./network-clock.ts";

/** Rows from here on are replaced. A bucket more than was asked for: the service's bucket of that moment may have started in the one before. */
export function reviseFrom(last: LocalTime, revise: Duration, interval: Interval): LocalTime {
  return previousBucket(bucketStart(ruleOf(interval), subtractDuration(last, revise)), interval);
}

/** The start of a window that has all rows from a bucket start on: it begins a bucket earlier, since its first bucket is partial. */
export function openWindow(from: LocalTime, interval: Interval, { slack }: NetworkClock): LocalTime {
  return previousBucket(from, interval) - slack;
}

/** The start of the last bucket that begins before this moment. */
function previousBucket(local: LocalTime, interval: Interval): LocalTime {
  return bucketStart(ruleOf(interval), local - 1);
}

/** Services may count December with January and February of the same year. */
function ruleOf(interval: Interval): Interval {
  return interval === "season" ? "1y" : interval;
}
