/** Network time and durations of the calendar. */
import { DateTime, Duration as Span } from "luxon";
import { type Duration, durationMs } from "./duration.ts";
import { type LocalTime } from "./local-time.ts";

/** luxon asks the system for a locale that it is not given, which takes longer than all else; no number depends on it. */
const LOCALE = { locale: "en-US" } as const;

/** How luxon reads a wall clock. */
export const WALL_CLOCK = { zone: "utc", ...LOCALE } as const;

/** `from` less a duration; months and years are the calendar's (31 March less 1M is the last day of February). */
export function subtractDuration(from: LocalTime, duration: Duration): LocalTime {
  return shift(from, duration, -1);
}

/** `from` and a duration; months and years are the calendar's. */
export function addDuration(from: LocalTime, duration: Duration): LocalTime {
  return shift(from, duration, 1);
}

function shift(from: LocalTime, duration: Duration, sign: 1 | -1): LocalTime {
  const ms = durationMs(duration);
  if (ms !== undefined) return from + sign * ms;
  const span = Span.fromObject({ [duration.unit]: sign * duration.amount }, LOCALE);
  return DateTime.fromMillis(from, WALL_CLOCK).plus(span).toMillis();
}
