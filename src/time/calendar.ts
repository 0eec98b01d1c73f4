/** Network time plus or minus a duration. */
import { type Duration, durationMs } from "./duration.ts";
import { type LocalTime } from "./local-time.ts";

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
  return addMonths(from, sign * duration.amount * (duration.unit === "years" ? 12 : 1));
}

/** To the same day of the month, or to its last. There are thousands of steps through a calendar: no library is fast enough. */
function addMonths(from: LocalTime, months: number): LocalTime {
  const date = new Date(from);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(date);
  lastDay.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.setUTCDate(Math.min(new Date(from).getUTCDate(), lastDay.getUTCDate()));
}
