/** Network time plus or minus a duration. */
import { DateTime, Duration as Span } from "luxon";
import { type Duration, durationMs } from "./duration.ts";
import { type LocalTime } from "./local-time.ts";

/** Without a locale luxon asks the system for one, which is slow; no result depends on it. */
const LOCALE = { locale: "en-US" } as const;

/** luxon options for a `LocalTime`. */
export const WALL_CLOCK = { zone: "utc", ...LOCALE } as const;

/** Months and years are calendar months and years: 31 March minus 1M is the last day of February. */
export function subtractDuration(from: LocalTime, duration: Duration): LocalTime {
  return shift(from, duration, -1);
}

/** Months and years are calendar months and years. */
export function addDuration(from: LocalTime, duration: Duration): LocalTime {
  return shift(from, duration, 1);
}

function shift(from: LocalTime, duration: Duration, sign: 1 | -1): LocalTime {
  const ms = durationMs(duration);
  if (ms !== undefined) return from + sign * ms;
  const span = Span.fromObject({ [duration.unit]: sign * duration.amount }, LOCALE);
  return DateTime.fromMillis(from, WALL_CLOCK).plus(span).toMillis();
}
