import { DAY, formatLocalTime, formatOffset, type LocalTime } from "../../time/local-time.ts";
import { STEP_MS, STEPS_PER_DAY } from "../model/clock.ts";

/** `formatStamp` for the starts of intervals; ten times as fast in order, since it formats each day once. */
export function createStamper(offsetMinutes: number): (local: LocalTime) => string {
  const times = Array.from({ length: STEPS_PER_DAY }, (_, i) => formatLocalTime(i * STEP_MS).slice(10) + formatOffset(offsetMinutes));
  let day = Number.NaN;
  let date = "";
  return (local) => {
    const start = Math.floor(local / DAY) * DAY;
    if (start !== day) date = formatLocalTime(start).slice(0, 10);
    day = start;
    return date + times[(local - start) / STEP_MS]!;
  };
}
