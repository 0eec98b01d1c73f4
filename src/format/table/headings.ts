/** Names of intervals, as short as they allow. */
import { findRule, type Interval } from "../../base/intervals.ts";
import { nameInterval } from "../../time/interval-names.ts";
import { MONTH_NAMES } from "../../time/calendar.ts";
import { DAY, formatOffset, MINUTE } from "../../time/local-time.ts";
import { createMomentPrinter, measureTimestamps, type WallClockTime } from "./timestamps.ts";

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/**
 * Headings of adjacent columns: `25 Nov 18:00`, then `19:00`; `Mon 24`; `23 Nov`; `Nov 2026`; `2026 Q4`; `summer 2026`;
 * `2026`; `FY2026`. The first of a day, month or year says which, unless it is the same for all.
 */
export function nameIntervals(moments: readonly WallClockTime[], interval: Interval | undefined): string[] {
  const names = createNames(moments, interval);
  if (new Set(names).size === moments.length) return names;
  return moments.map(createMomentPrinter(moments, interval));
}

function createNames(moments: readonly WallClockTime[], interval: Interval | undefined): string[] {
  const dates = moments.map(({ instant, offset }) => new Date(instant + offset * MINUTE));
  const named = dates.map((date) => nameInterval(interval, date.getTime()));
  if (named.every((name) => name !== undefined)) return named;
  const rule = interval && findRule(interval);
  if (!rule || ("ms" in rule && rule.ms < DAY) || dates.some((date) => date.getTime() % DAY !== 0))
    return nameMoments(moments, dates);
  if (interval === "1d") return nameDays(dates);
  if ("ms" in rule || dates.some((date) => date.getUTCDate() !== 1)) return nameWeeks(dates);
  return dates.map((date) => nameMonths(date, interval));
}

function nameMoments(moments: readonly WallClockTime[], dates: readonly Date[]): string[] {
  const length = measureTimestamps(
    dates.map((date) => date.getTime()),
    undefined,
  );
  const repeats = new Set(moments.map(({ offset }) => offset)).size > 1;
  return dates.map((date, index) => {
    const time = date.toISOString().slice("2025-01-31T".length, length);
    const full = repeats ? `${time} ${formatOffset(moments[index]?.offset ?? 0)}` : time;
    return isSameDay(dates[index - 1], date) ? full : `${nameDay(date)} ${full}`;
  });
}

function isSameDay(before: Date | undefined, date: Date): boolean {
  return before !== undefined && Math.floor(before.getTime() / DAY) === Math.floor(date.getTime() / DAY);
}

function nameDays(dates: readonly Date[]): string[] {
  return dates.map((date, index) => {
    const day = `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()}`;
    const isNamed = dates.length === 1 || startsNew(dates, index, (other) => other.getUTCMonth());
    return isNamed ? `${day} ${MONTH_NAMES[date.getUTCMonth()]}` : day;
  });
}

function nameWeeks(dates: readonly Date[]): string[] {
  return dates.map((date, index) => {
    const isNew = startsNew(dates, index, (other) => other.getUTCFullYear());
    return isNew ? `${nameDay(date)} ${date.getUTCFullYear()}` : nameDay(date);
  });
}

/** True for the first of a month or year, unless all are in the same one. */
function startsNew(dates: readonly Date[], index: number, part: (date: Date) => number): boolean {
  const before = dates[index - 1];
  const date = dates[index] as Date;
  return new Set(dates.map(part)).size > 1 && (before === undefined || part(before) !== part(date));
}

function nameDay(date: Date): string {
  return `${date.getUTCDate()} ${MONTH_NAMES[date.getUTCMonth()]}`;
}

function nameMonths(date: Date, interval: Interval | undefined): string {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return interval === "1y" && month === 0 ? String(year) : `${MONTH_NAMES[month]} ${year}`;
}
