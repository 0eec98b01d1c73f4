/**
 * Seasons, as services stamp them. Those of the public service are of one calendar year each and bear the first day of a quarter
 * (in-practice.md, Seen by running its code): 2024-01-01 is March to May 2024, 2024-04-01 June to August, 2024-07-01 September
 * to November, and 2024-10-01 January, February and December. Other services stamp a season with a day inside it, and December
 * belongs to the next year's summer.
 */
import { addBucket, bucketStart, bucketStartBy, nextBucketStart } from "./buckets.ts";
import { DAY, type LocalTime, MINUTE } from "./local-time.ts";

/** A clock that is hours ahead stamps a season with the last day of the one before. */
const HALF_DAY = DAY / 2;
/** Values are for five minutes: an end in the last five of a day has all of it. */
const FIVE_MINUTES = 5 * MINUTE;
const QUARTERS = { months: 3, phase: 0 };
const MONTHS = { months: 1, phase: 0 };

/** Whether a stamp is of a service whose seasons are of one calendar year. */
export function isOfOneYear(stamp: LocalTime): boolean {
  return stamp + HALF_DAY - bucketStartBy(QUARTERS, stamp + HALF_DAY) < DAY;
}

/** The first day of a season, and that of the next one; the summer of one year has all of the year between its months. */
export function spanOfSeason(stamp: LocalTime): readonly [start: LocalTime, end: LocalTime] {
  const local = stamp + HALF_DAY;
  if (!isOfOneYear(stamp)) return [bucketStart("season", local), nextBucketStart("season", local)];
  const date = new Date(bucketStartBy(QUARTERS, local));
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return month === 9 ? [Date.UTC(year, 0), Date.UTC(year + 1, 0)] : [Date.UTC(year, month + 2), Date.UTC(year, month + 5)];
}

/** Whether it is January, February or December. */
export function isInSummer(local: LocalTime): boolean {
  return [0, 1, 11].includes(new Date(local).getUTCMonth());
}

/** The stamps of the seasons of one calendar year that have a month in a period, in order. */
export function listSeasons(start: LocalTime, end: LocalTime): LocalTime[] {
  const stamps = new Set<LocalTime>();
  for (let month = bucketStartBy(MONTHS, start); month <= end; month = addBucket(MONTHS, month)) stamps.add(seasonOf(month));
  return [...stamps].toSorted((a, b) => a - b);
}

function seasonOf(local: LocalTime): LocalTime {
  const date = new Date(local);
  const month = isInSummer(local) ? 9 : 3 * Math.floor((date.getUTCMonth() - 2) / 3);
  return Date.UTC(date.getUTCFullYear(), month);
}

/** The years of whose summer a period has some months and lacks others. */
export function listPartialSummers(start: LocalTime, end: LocalTime): number[] {
  const years = new Set([start, end].map((local) => new Date(local).getUTCFullYear()));
  return [...years].filter((year) => {
    const days = [
      [Date.UTC(year, 0), Date.UTC(year, 2) - 1],
      [Date.UTC(year, 11), Date.UTC(year + 1, 0) - 1],
    ] as const;
    const hasSome = days.some(([from, to]) => start <= to && end >= from);
    return hasSome && !days.every(([from, to]) => start <= from && end >= to - FIVE_MINUTES);
  });
}
