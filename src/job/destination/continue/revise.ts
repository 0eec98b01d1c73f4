/** From where on an output is fetched again. */
import type { Interval } from "../../../base/vocabulary.ts";
import { bucketStart } from "../../../time/buckets.ts";
import { subtractDuration } from "../../../time/calendar.ts";
import type { Duration } from "../../../time/duration.ts";
import type { LocalTime } from "../../../time/local-time.ts";
import { wholeOf } from "../../../time/seasons.ts";
import type { NetworkClock } from "./network-clock.ts";

/** Rows from here on are replaced. */
export function reviseFrom(last: LocalTime, revise: Duration, interval: Interval): LocalTime {
  return reachBack(subtractDuration(last, revise), interval);
}

/** Where replacing starts so that the bucket of a moment is included: by the service's calendar it may start one bucket earlier. */
export function reachBack(moment: LocalTime, interval: Interval): LocalTime {
  return previousBucket(bucketStart(wholeOf(interval), moment), interval);
}

/** The start of a window with all rows from a moment on. It has one more bucket before them, as its first may be partial. */
export function openWindow(from: LocalTime, interval: Interval, { slack }: NetworkClock): LocalTime {
  return reachBack(from, interval) - slack;
}

/** The start of the last bucket that begins before this moment. */
function previousBucket(local: LocalTime, interval: Interval): LocalTime {
  return bucketStart(wholeOf(interval), local - 1);
}
