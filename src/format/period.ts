/** The period of a picture or table in words: `18 to 20 Nov 2026`. */
import { findRule, type Interval } from "../base/intervals.ts";
import { intervalOfTimestamp, MONTH_NAMES, nextIntervalStart } from "../time/calendar.ts";
import { DAY } from "../time/local-time.ts";
import { nameInterval } from "../time/interval-names.ts";

/** `first` and `last`: the wall clocks of the first and last point, in milliseconds as if they were UTC. */
export function describePeriod(first: number, last: number, interval: Interval | undefined): string {
  const [from, to] = [first, last].map((wall) => nameInterval(interval, wall));
  if (from !== undefined && to !== undefined && interval !== "3M") return join(from, to);
  const rule = interval && findRule(interval);
  if (rule && "months" in rule && [first, last].every(isFirstOfMonth)) {
    if (rule.months === 12) return join(yearOf(first), yearOf(last));
    const [, end] = intervalOfTimestamp(interval, last);
    return describeMonthRange(first, end - 1);
  }
  const isDaily = rule && (!("ms" in rule) || rule.ms >= DAY);
  const end = interval && !isDaily ? nextIntervalStart(interval, last) : last;
  const isOfDays = first % DAY === 0 && end % DAY === 0;
  if (isOfDays) return describeDays(first, isDaily ? last : end - 1);
  if (dayOf(first) === dayOf(last)) return `${dayOf(first)} ${join(timeOf(first), timeOf(last))}`;
  return `${dayOf(first)} ${timeOf(first)} to ${dayOf(last)} ${timeOf(last)}`;
}

/** What an interval is called after a period: `hourly`, `every 30 minutes`. */
export function describeInterval(interval: string): string {
  const [, count, unit = ""] = /^(\d+)([mhd])$/.exec(interval) ?? [];
  const inWords = count === undefined ? `${interval} intervals` : `every ${count} ${LONG_UNITS[unit]}`;
  return INTERVAL_NAMES[interval] ?? inWords;
}

const LONG_UNITS: Readonly<Record<string, string>> = { m: "minutes", h: "hours", d: "days" };

const INTERVAL_NAMES: Readonly<Record<string, string>> = {
  "1m": "every minute",
  "1h": "hourly",
  "1d": "daily",
  "7d": "weekly",
  "1M": "monthly",
  "3M": "quarterly",
  season: "by season",
  "1y": "yearly",
  fy: "by financial year",
};

function describeMonthRange(first: number, last: number): string {
  const [from, to] = [first, last].map((wall) => MONTH_NAMES[new Date(wall).getUTCMonth()]);
  const [fromYear, toYear] = [yearOf(first), yearOf(last)];
  return fromYear === toYear ? `${join(from ?? "", to ?? "")} ${toYear}` : `${from} ${fromYear} to ${to} ${toYear}`;
}

function describeDays(first: number, last: number): string {
  const [from, to] = [dayOf(first), dayOf(last)];
  if (from === to) return to;
  if (yearOf(first) !== yearOf(last)) return `${from} to ${to}`;
  const [day, month] = from.split(" ");
  return `${to.split(" ")[1] === month ? day : `${day} ${month}`} to ${to}`;
}

function join(from: string, to: string): string {
  return from === to ? to : `${from} to ${to}`;
}

function isFirstOfMonth(wall: number): boolean {
  return wall % DAY === 0 && new Date(wall).getUTCDate() === 1;
}

function yearOf(wall: number): string {
  return String(new Date(wall).getUTCFullYear());
}

function dayOf(wall: number): string {
  const date = new Date(wall);
  return `${date.getUTCDate()} ${MONTH_NAMES[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function timeOf(wall: number): string {
  return new Date(wall).toISOString().slice("2025-01-31T".length, "2025-01-31T14:05".length);
}
