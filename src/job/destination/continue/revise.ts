/** From where on an output is fetched again. */
import type { Interval } from "../../../base/vocabulary.ts";
import { bucketStart } from "../../../time/buckets.ts";
import { subtractDuration } from "../../../time/calendar.ts";
import type { Duration } from "../../../time/duration.ts";
import type { LocalTime } from "../../../time/local-time.ts";
import type { NetworkClock } from "./network-clock.ts";

/** Rows from here on are replaced. */
export function reviseFrom(last: LocalTime, revise: Duration, interval: Interval): LocalTime {
  return reachBack(subtractDuration(last, revise), interval);
}

/** A start from which on rows are replaced that has those of a moment: the service's bucket of it may have started in the one before. */
export function reachBack(moment: LocalTime, interval: Interval): LocalTime {
  return previousBucket(bucketStart(ruleOf(interval), moment), interval);
}

/** The start of a window that has all rows from a moment on, and the bucket before: its first bucket is partial. A year may be named after its middle. */
export function openWindow(from: LocalTime, interval: Interval, { slack }: NetworkClock): LocalTime {
  return reachBack(from, interval) - slack;
}

/** The start of the last bucket that begins before this moment. */
function previousBucket(local: LocalTime, interval: Interval): LocalTime {
  return bucketStart(ruleOf(interval), local - 1);
}

/** Services may count December with January and February of the same year. */
function ruleOf(interval: Interval): Interval {
  return interval === "season" ? "1y" : interval;
}
