/** Network time and durations of the calendar. */
import { DateTime } from "luxon";
import type { Duration, LocalTime } from "./time.ts";

/** How luxon reads a wall clock. The locale matters to no number, but luxon asks the system for one that is not given. */
export const WALL_CLOCK = { zone: "utc", locale: "en-US" } as const;

/** `from` less a duration; months and years are the calendar's (31 March less 1M is the last day of February). */
export function subtractDuration(from: LocalTime, duration: Duration): LocalTime {
  return DateTime.fromMillis(from, WALL_CLOCK)
    .minus({ [duration.unit]: duration.amount })
    .toMillis();
}

/** `from` and a duration; months and years are the calendar's. */
export function addDuration(from: LocalTime, duration: Duration): LocalTime {
  return DateTime.fromMillis(from, WALL_CLOCK)
    .plus({ [duration.unit]: duration.amount })
    .toMillis();
}
