/** Bucket starts, in network-local time. */
import { type BucketRule, INTERVALS, type Interval } from "../base/vocabulary.ts";
import { DAY, type LocalTime } from "./local-time.ts";

/** The start of the bucket that contains `local`. 7d starts on Sunday, season in December, March, June, September, fy on 1 July. */
export function bucketStart(interval: Interval, local: LocalTime): LocalTime {
  return bucketStartBy(INTERVALS[interval].bucket, local);
}

/** The start of the bucket of a service whose buckets may start elsewhere, such as weeks on Monday. */
export function bucketStartBy(rule: BucketRule, local: LocalTime): LocalTime {
  if ("ms" in rule) return local - modulo(local - rule.phase, rule.ms);
  const { phase, months, shift = 0 } = rule;
  const date = new Date(local - shift);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return monthStart(month - modulo(month - phase, months)) + shift;
}

/** The rule of buckets that start `ms` later. */
export function shiftBuckets(rule: BucketRule, ms: number): BucketRule {
  return "ms" in rule ? { ...rule, phase: rule.phase + ms } : { ...rule, shift: (rule.shift ?? 0) + ms };
}

/** The start of the bucket after the one that contains `local`. */
export function nextBucketStart(interval: Interval, local: LocalTime): LocalTime {
  return nextBucketStartBy(INTERVALS[interval].bucket, local);
}

export function nextBucketStartBy(rule: BucketRule, local: LocalTime): LocalTime {
  const start = bucketStartBy(rule, local);
  // In so many days, months are over, and the next ones are not.
  return "ms" in rule ? start + rule.ms : bucketStartBy(rule, start + rule.months * 31 * DAY);
}

/** Milliseconds of a bucket: months and years differ in length. */
export function bucketLengths(rule: BucketRule): { readonly shortest: number; readonly longest: number } {
  if ("ms" in rule) return { shortest: rule.ms, longest: rule.ms };
  return { shortest: rule.months * 28 * DAY, longest: rule.months * 31 * DAY };
}

const HALF_DAY = DAY / 2;

/** One bucket later. What is no bucket's start, such as the middle of a month, keeps its place in the month. */
export function addBucket(rule: BucketRule, local: LocalTime): LocalTime {
  if ("ms" in rule) return local + rule.ms;
  // A bucket may start shortly before its month.
  const date = new Date(local + HALF_DAY);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return local - monthStart(month) + monthStart(month + rule.months);
}

function monthStart(month: number): LocalTime {
  // Date.UTC reads years below 100 as 19xx.
  return new Date(0).setUTCFullYear(Math.floor(month / 12), modulo(month, 12), 1);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
