/** The buckets of the service in memory, worked out without the code under test. */
import type { ServiceModel, Steps } from "./fake-service.ts";

const MINUTE = 60_000;
/** A minute: the grain of all values. */
export const STEP = MINUTE;
export const FIVE_MINUTES = 5 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Which day a bucket is stamped with: its first, or another of its days. */
export type Label = "start" | "middle";

/** Months of a bucket, and a month in which one starts (0 is January). */
const CALENDAR: Readonly<Record<string, readonly [months: number, from: number]>> = {
  "1M": [1, 0],
  "3M": [3, 0],
  season: [3, 2],
  "1y": [12, 0],
  fy: [12, 6],
};

const FIXED: Readonly<Record<string, number>> = { "5m": FIVE_MINUTES, "1h": HOUR, "1d": DAY, "7d": 7 * DAY };
/** 1970-01-04 was a Sunday. */
const FIRST_SUNDAY = 3 * DAY;

type Rule = Pick<ServiceModel, "interval" | "phase">;

/** The start of the bucket that holds `local`, and of the next one. */
export function bucketAround({ interval, phase }: Rule, local: number): [start: number, next: number] {
  const [start, next] = plainBucketAround(interval, local - phase);
  return [start + phase, next + phase];
}

function plainBucketAround(interval: string, local: number): [start: number, next: number] {
  const length = FIXED[interval];
  if (length !== undefined) {
    const first = interval === "7d" ? FIRST_SUNDAY : 0;
    const start = first + Math.floor((local - first) / length) * length;
    return [start, start + length];
  }
  const date = new Date(local);
  const [months, from] = CALENDAR[interval] as readonly [number, number];
  const past = (date.getUTCMonth() - from + 12) % months;
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - past];
  return [Date.UTC(year, month), Date.UTC(year, month + months)];
}

/** Which of all buckets one is. */
export function ordinalOf({ interval, phase }: Rule, start: number): number {
  const length = FIXED[interval];
  if (length !== undefined) return Math.floor((start - phase - FIRST_SUNDAY) / length);
  const date = new Date(start - phase);
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / (CALENDAR[interval] as readonly [number, number])[0]);
}

/** The buckets that hold the steps from `first` to `last`, in steps. */
export function listBuckets(rule: Rule, first: number, last: number): Steps[] {
  const buckets: Steps[] = [];
  for (let at = first; at < last; ) {
    const [start, next] = bucketAround(rule, at * STEP);
    buckets.push([start / STEP, next / STEP]);
    at = next / STEP;
  }
  return buckets;
}

/** How the public service stamps a bucket: fy on 1 January of the year in which it ends, season on any of its days. */
export function labelOf(model: Rule & Pick<ServiceModel, "seasonLabel">, start: number): number {
  const date = new Date(start);
  if (model.interval === "fy") return Date.UTC(date.getUTCFullYear() + 1, 0);
  if (model.interval === "season" && model.seasonLabel === "middle") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 15);
  return start;
}
