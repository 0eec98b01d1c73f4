/**
 * Intervals and seasons, in network-local time.
 *
 * Each season of the public service (4.5.11) lies within one calendar year and is stamped with the first day of a
 * quarter: 2024-01-01 is March to May 2024, 2024-04-01 June to August, 2024-07-01 September to November, and 2024-10-01
 * January, February and December.
 */
import { type IntervalRule, findRule, type Interval } from "../base/intervals.ts";
import { DAY, type LocalTime, MINUTE } from "./local-time.ts";

export type AnyInterval = Interval | IntervalRule;

/**
 * The start of the interval that contains `local`. 7d starts on Sunday, fy on 1 July; of a season, it is that of the
 * quarter.
 */
export function intervalStart(intervals: AnyInterval, local: LocalTime): LocalTime {
  const rule = ruleOf(intervals);
  if ("ms" in rule) return local - modulo(local - rule.phase, rule.ms);
  const month = monthOf(local);
  return monthStart(month - modulo(month - rule.phase, rule.months));
}

export function nextIntervalStart(intervals: AnyInterval, local: LocalTime): LocalTime {
  const rule = ruleOf(intervals);
  const start = intervalStart(rule, local);
  // 31 days per month reach past the end of this interval, but not past the end of the next.
  return "ms" in rule ? start + rule.ms : intervalStart(rule, start + rule.months * 31 * DAY);
}

const HALF_DAY = DAY / 2;

/** One interval later. A time that is not an interval start, such as mid-month, keeps its place in the month. */
export function addInterval(intervals: AnyInterval, local: LocalTime): LocalTime {
  const rule = ruleOf(intervals);
  if ("ms" in rule) return local + rule.ms;
  // An interval may start shortly before its month.
  const month = monthOf(local + HALF_DAY);
  return local - monthStart(month) + monthStart(month + rule.months);
}

/** Counts the intervals that overlap a window, both ends inclusive. */
export function countIntervals(intervals: AnyInterval, start: LocalTime, end: LocalTime): number {
  if (end < start) return 0;
  const rule = ruleOf(intervals);
  const [first, last] = [intervalStart(rule, start), intervalStart(rule, end)];
  if ("ms" in rule) return 1 + (last - first) / rule.ms;
  return 1 + (monthOf(last) - monthOf(first)) / rule.months;
}

/** The shortest and longest interval, in milliseconds: months and years vary in length. */
export function lengthsOf(rule: IntervalRule): { readonly shortest: number; readonly longest: number } {
  if ("ms" in rule) return { shortest: rule.ms, longest: rule.ms };
  return { shortest: rule.months * 28 * DAY, longest: rule.months * 31 * DAY };
}

/**
 * The interval of a timestamp, from its start to the start of the next one. Timestamps are interval starts, except that
 * services mark a financial year with a day inside it, and a season with the first day of a quarter.
 */
export function intervalOfTimestamp(
  interval: Interval,
  timestamp: LocalTime,
): readonly [start: LocalTime, end: LocalTime] {
  // A service whose clock is hours ahead of network time marks a year or season with the last day of the previous one.
  const local = timestamp + HALF_DAY;
  if (interval === "season") {
    const months = listMonths(intervalStart("season", local));
    // The summer of one calendar year spans all of it: its months are January, February and December.
    return [Math.min(...months), addInterval(MONTHS, Math.max(...months))];
  }
  if (interval === "fy") return [intervalStart(interval, local), nextIntervalStart(interval, local)];
  return [timestamp, addInterval(interval, timestamp)];
}

const MONTHS = { months: 1, phase: 0 };
const DECEMBER = 11;

/**
 * The periods that the interval of a timestamp consists of: one, but for a summer of January, February and December of
 * one year.
 */
export function intervalPieces(
  interval: Interval,
  timestamp: LocalTime,
): (readonly [start: LocalTime, end: LocalTime])[] {
  const month = intervalStart(MONTHS, timestamp + HALF_DAY);
  if (interval !== "season") return [intervalOfTimestamp(interval, timestamp)];
  // A summer over New Year, of a service that dates seasons by their first day.
  if (new Date(month).getUTCMonth() === DECEMBER) return [[month, addInterval("3M", month)]];
  return listMonths(intervalStart("season", timestamp + HALF_DAY)).map((first) => [first, addInterval(MONTHS, first)]);
}

/** The interval to align a window to so that no interval in it is partial: for seasons, the year. */
export function alignmentInterval(interval: Interval): Interval {
  return interval === "season" ? "1y" : interval;
}

/** The timestamps of seasons with a month in a period, in order. */
export function listSeasons(start: LocalTime, end: LocalTime): LocalTime[] {
  const timestamps = new Set<LocalTime>();
  for (let month = intervalStart(MONTHS, start); month <= end; month = addInterval(MONTHS, month))
    timestamps.add(seasonOf(month));
  return [...timestamps].toSorted((a, b) => a - b);
}

/** The timestamps of seasons that a period covers only in part. */
export function listPartialSeasons(start: LocalTime, end: LocalTime): LocalTime[] {
  // A value covers five minutes: an end within the last five minutes of a month includes all of it.
  const isWhole = (month: LocalTime) => start <= month && end >= addInterval(MONTHS, month) - 5 * MINUTE;
  return listSeasons(start, end).filter((timestamp) => !listMonths(timestamp).every(isWhole));
}

export const MONTH_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Mar, Apr, May` */
export function describeMonths(timestamp: LocalTime): string {
  return listMonths(timestamp)
    .map((month) => MONTH_NAMES[new Date(month).getUTCMonth()])
    .join(", ");
}

/** The first day of each month of a season. */
function listMonths(timestamp: LocalTime): LocalTime[] {
  const year = new Date(timestamp).getUTCFullYear();
  return Array.from({ length: 12 }, (_, month) => Date.UTC(year, month)).filter(
    (month) => seasonOf(month) === timestamp,
  );
}

function seasonOf(local: LocalTime): LocalTime {
  const date = new Date(local);
  const sinceMarch = (date.getUTCMonth() + 10) % 12;
  return Date.UTC(date.getUTCFullYear(), sinceMarch - (sinceMarch % 3));
}

function ruleOf(intervals: AnyInterval): IntervalRule {
  return typeof intervals === "string" ? findRule(intervals) : intervals;
}

/** Months since the year 0. */
function monthOf(local: LocalTime): number {
  const date = new Date(local);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function monthStart(month: number): LocalTime {
  // Date.UTC reads years below 100 as 19xx.
  return new Date(0).setUTCFullYear(Math.floor(month / 12), modulo(month, 12), 1);
}

/** The remainder with the sign of the divisor. */
export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
