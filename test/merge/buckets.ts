/** The buckets of the in-memory service, computed without the code under test. */
import type { ListedInterval } from "../../src/base/intervals.ts";
import { KNOWN } from "../support/intervals.ts";
import type { ServiceModel, Steps } from "./fake-service.ts";

const MINUTE = 60_000;
/** A minute, the resolution of all values. */
export const STEP = MINUTE;
export const FIVE_MINUTES = 5 * MINUTE;

/**
 * The day of a season's timestamp: its first, another of its days, that of its second month, or the first day of a
 * quarter, as on the public service, whose seasons lie in one calendar year.
 */
export type Label = "start" | "middle" | "second" | "quarter";

type Rule = Pick<ServiceModel, "interval" | "phase">;

/** The start of the bucket that contains `local`, and of the next one. */
export function bucketAround({ interval, phase }: Rule, local: number): [start: number, next: number] {
  const [start, next] = plainBucketAround(interval, local - phase);
  return [start + phase, next + phase];
}

function plainBucketAround(interval: ListedInterval, local: number): [start: number, next: number] {
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

/** The number of a bucket, counted from 1970. */
export function ordinalOf({ interval, phase }: Rule, start: number): number {
  const { rule } = KNOWN[interval];
  if ("ms" in rule) return Math.floor((start - phase - rule.from) / rule.ms);
  const date = new Date(start - phase);
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / rule.months);
}

/** A bucket's start and everything that it contains, in steps. */
export interface Bucket {
  readonly start: number;
  readonly parts: readonly Steps[];
}

/** The buckets of the steps from `first` to `last`, and perhaps some before and after them. */
export function listBuckets(rule: Rule & Pick<ServiceModel, "seasonLabel">, first: number, last: number): Bucket[] {
  if (rule.interval === "season" && rule.seasonLabel === "quarter") return listSeasonsOfYears(first, last);
  const buckets: Bucket[] = [];
  for (let at = first; at < last; ) {
    const [start, next] = bucketAround(rule, at * STEP);
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

function listSeasonsOfYears(first: number, last: number): Bucket[] {
  const [from, to] = [first, Math.max(first, last)].map((step) => new Date(step * STEP).getUTCFullYear()) as [number, number];
  const years = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const monthOf = (year: number, month: number) => Date.UTC(year, month) / STEP;
  return years.flatMap((year) =>
    SEASONS.map(([stamp, months]) => ({
      start: monthOf(year, stamp),
      parts: months.map((month): Steps => [monthOf(year, month), monthOf(year, month + 1)]),
    })),
  );
}

/** The timestamp of a bucket on the public service; a financial year has 1 January of the year in which it ends. */
export function labelOf(model: Rule & Pick<ServiceModel, "seasonLabel">, start: number): number {
  const date = new Date(start);
  if (model.interval === "fy") return Date.UTC(date.getUTCFullYear() + 1, 0);
  if (model.interval === "season" && model.seasonLabel === "second") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  if (model.interval === "season" && model.seasonLabel === "middle") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 15);
  return start;
}
