/** The buckets of the service in memory, worked out without the code under test. */
import type { Interval } from "../../src/base/vocabulary.ts";
import { KNOWN } from "../support/intervals.ts";
import type { ServiceModel, Steps } from "./fake-service.ts";

const MINUTE = 60_000;
/** A minute: the grain of all values. */
export const STEP = MINUTE;
export const FIVE_MINUTES = 5 * MINUTE;

/**
 * Which day a season is stamped with: its first, another of its days, that of its second month, or, as on the public service, where the seasons are of one
 * calendar year, the first of a quarter.
 */
export type Label = "start" | "middle" | "second" | "quarter";

type Rule = Pick<ServiceModel, "interval" | "phase">;

/** The start of the bucket that holds `local`, and of the next one. */
export function bucketAround({ interval, phase }: Rule, local: number): [start: number, next: number] {
  const [start, next] = plainBucketAround(interval, local - phase);
  return [start + phase, next + phase];
}

function plainBucketAround(interval: Interval, local: number): [start: number, next: number] {
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

/** Which of all buckets one is. */
export function ordinalOf({ interval, phase }: Rule, start: number): number {
  const { rule } = KNOWN[interval];
  if ("ms" in rule) return Math.floor((start - phase - rule.from) / rule.ms);
  const date = new Date(start - phase);
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / rule.months);
}

/** A bucket by its start, and all that it holds, in steps. */
export interface Bucket {
  readonly start: number;
  readonly parts: readonly Steps[];
}

/** The buckets that hold the steps from `first` to `last`, and perhaps some before and after them. */
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

/** The public service's: the month of each stamp (0 is January), and the months that it is for. */
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

/** How the public service stamps a bucket: fy on 1 January of the year in which it ends. */
export function labelOf(model: Rule & Pick<ServiceModel, "seasonLabel">, start: number): number {
  const date = new Date(start);
  if (model.interval === "fy") return Date.UTC(date.getUTCFullYear() + 1, 0);
  if (model.interval === "season" && model.seasonLabel === "second") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  if (model.interval === "season" && model.seasonLabel === "middle") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 15);
  return start;
}
