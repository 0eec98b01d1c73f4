import type { Interval } from "../../base/vocabulary.ts";
import { bucketStart, nextBucketStart } from "../../time/buckets.ts";
import { DAY, formatLocalTime, formatOffset, type LocalTime } from "../../time/local-time.ts";
import { STEP_MS, STEPS_PER_DAY } from "../model/clock.ts";

/**
 * The timestamp of the bucket that holds `local`: its start, but of a financial year 1 January of the year in which it ends, and of seasons
 * 1 January (March to May), April, July and October of the calendar year. January, February and December of one year are one season
 * (in-practice.md, "Seen by running its code").
 */
export function stampOf(interval: Interval, local: LocalTime): LocalTime {
  if (interval !== "season" && interval !== "fy") return bucketStart(interval, local);
  const year = new Date(local).getUTCFullYear();
  const month = new Date(local).getUTCMonth();
  if (interval === "fy") return Date.UTC(month < 6 ? year : year + 1, 0, 1);
  const sinceMarch = (month + 10) % 12;
  return Date.UTC(year, sinceMarch - (sinceMarch % 3), 1);
}

export function nextStamp(interval: Interval, stamp: LocalTime): LocalTime {
  return nextBucketStart(interval === "season" ? "3M" : interval === "fy" ? "1y" : interval, stamp);
}

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
