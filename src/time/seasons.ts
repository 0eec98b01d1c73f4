/**
 * Seasons, as services stamp them. Those of the public service are of one calendar year each and bear the first day of a quarter
 * (in-practice.md, Seen by running its code): 2024-01-01 is March to May 2024, 2024-04-01 June to August, 2024-07-01 September
 * to November, and 2024-10-01 January, February and December. Other services stamp a season with a day inside it, and December
 * belongs to the next year's summer.
 */
import type { Interval } from "../base/vocabulary.ts";
import { addBucket, bucketStart, bucketStartBy, nextBucketStart } from "./buckets.ts";
import { DAY, type LocalTime, MINUTE } from "./local-time.ts";

/** A clock that is hours ahead stamps a season with the last day of the one before. */
const HALF_DAY = DAY / 2;
/** Values are for five minutes: an end in the last five of a day has all of it. */
const FIVE_MINUTES = 5 * MINUTE;
const QUARTERS = { months: 3, phase: 0 };
const MONTHS = { months: 1, phase: 0 };

/** The interval whose buckets hold those of another one whole: seasons are whole in whole years. */
export function wholeOf(interval: Interval): Interval {
  return interval === "season" ? "1y" : interval;
}

/** Whether a stamp is of a service whose seasons are of one calendar year. */
export function isOfOneYear(stamp: LocalTime): boolean {
  return stamp + HALF_DAY - bucketStartBy(QUARTERS, stamp + HALF_DAY) < DAY;
}

/** The first day of a season, and that of the next one; the summer of one year has all of the year between its months. */
export function spanOfSeason(stamp: LocalTime): readonly [start: LocalTime, end: LocalTime] {
  const local = stamp + HALF_DAY;
  if (!isOfOneYear(stamp)) return [bucketStart("season", local), nextBucketStart("season", local)];
  const months = listMonths(bucketStartBy(QUARTERS, local));
  return [Math.min(...months), addBucket(MONTHS, Math.max(...months))];
}

/** The stamps of the seasons of one calendar year that have a month in a period, in order. */
export function listSeasons(start: LocalTime, end: LocalTime): LocalTime[] {
  const stamps = new Set<LocalTime>();
  for (let month = bucketStartBy(MONTHS, start); month <= end; month = addBucket(MONTHS, month)) stamps.add(seasonOf(month));
  return [...stamps].toSorted((a, b) => a - b);
}

/** The seasons of which a period has only a part. */
export function listPartialSeasons(start: LocalTime, end: LocalTime): LocalTime[] {
  const isWhole = (month: LocalTime) => start <= month && end >= addBucket(MONTHS, month) - FIVE_MINUTES;
  return listSeasons(start, end).filter((stamp) => !listMonths(stamp).every(isWhole));
}

/** `Mar, Apr, May` */
export function describeMonths(stamp: LocalTime): string {
  return listMonths(stamp)
    .map((month) => MONTH_NAMES[new Date(month).getUTCMonth()])
    .join(", ");
}

const MONTH_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The first days of the months of a season of one calendar year. */
function listMonths(stamp: LocalTime): LocalTime[] {
  const date = new Date(stamp);
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(date.getUTCFullYear(), month));
  return months.filter((month) => seasonOf(month) === stamp);
}

function seasonOf(local: LocalTime): LocalTime {
  const date = new Date(local);
  const sinceMarch = (date.getUTCMonth() + 10) % 12;
  return Date.UTC(date.getUTCFullYear(), sinceMarch - (sinceMarch % 3));
}
