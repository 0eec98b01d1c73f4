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
  // Services may count December with January and February of the same year.
  const rule = interval === "season" ? "1y" : interval;
  const previous = (local: LocalTime) => bucketStart(rule, local - 1);
  const from = previous(bucketStart(rule, subtractDuration(last, revise)));
  return { from, start: previous(from) };
}
