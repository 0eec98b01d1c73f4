/** The intervals of the in-memory service, computed without the code under test. */
import type { ListedInterval } from "../../src/base/intervals.ts";
import { KNOWN } from "../support/intervals.ts";
import type { Steps } from "./fake-service.ts";

const MINUTE = 60_000;
/** A minute, the resolution of all values. */
export const STEP = MINUTE;
export const FIVE_MINUTES = 5 * MINUTE;

/** The start of the interval that contains `local`, and of the next one. */
export function intervalAround(interval: ListedInterval, local: number): [start: number, next: number] {
  const { rule } = KNOWN[interval];
  if ("ms" in rule) {
    const start = rule.from + Math.floor((local - rule.from) / rule.ms) * rule.ms;
    return [start, start + rule.ms];
  }
  const date = new Date(local);
  const past = (date.getUTCMonth() - rule.from + 12) % rule.months;
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - past];
  return [Date.UTC(year, month), Date.UTC(year, month + rule.months)];
}

/** The number of an interval, counted from 1970. */
export function ordinalOf(interval: ListedInterval, start: number): number {
  const { rule } = KNOWN[interval];
  if ("ms" in rule) return Math.floor((start - rule.from) / rule.ms);
  const date = new Date(start);
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / rule.months);
}

/** An interval's start and everything that it contains, in steps. */
export interface Interval {
  readonly start: number;
  readonly parts: readonly Steps[];
}

/** The intervals of the steps from `first` to `last`, and perhaps some before and after them. */
export function listIntervals(interval: ListedInterval, first: number, last: number): Interval[] {
  if (interval === "season") return listSeasonsOfYears(first, last);
  const buckets: Interval[] = [];
  for (let at = first; at < last; ) {
    const [start, next] = intervalAround(interval, at * STEP);
    buckets.push({ start: start / STEP, parts: [[start / STEP, next / STEP]] });
    at = next / STEP;
  }
  return buckets;
}

/** The public service's seasons: the month of each timestamp (0 is January), and the months that it stands for. */
const SEASONS = [
  [0, [2, 3, 4]],
  [3, [5, 6, 7]],
  [6, [8, 9, 10]],
  [9, [0, 1, 11]],
] as const;

function listSeasonsOfYears(first: number, last: number): Interval[] {
  const [from, to] = [first, Math.max(first, last)].map((step) => new Date(step * STEP).getUTCFullYear()) as [
    number,
    number,
  ];
  const years = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const monthOf = (year: number, month: number) => Date.UTC(year, month) / STEP;
  return years.flatMap((year) =>
    SEASONS.map(([timestamp, months]) => ({
      start: monthOf(year, timestamp),
      parts: months.map((month): Steps => [monthOf(year, month), monthOf(year, month + 1)]),
    })),
  );
}

/** The timestamp of an interval on the public service; a financial year has 1 January of the year in which it ends. */
export function labelOf(interval: ListedInterval, start: number): number {
  return interval === "fy" ? Date.UTC(new Date(start).getUTCFullYear() + 1, 0) : start;
}
