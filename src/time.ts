/**
 * Network-local time.
 *
 * A `LocalTime` is the wall clock of a network, in milliseconds as if that wall clock were UTC: networks have a fixed
 * offset and no daylight saving, so all planning is arithmetic on it and needs no zone.
 */
import { type BucketRule, INTERVALS, type Interval } from "./vocabulary.ts";

export type LocalTime = number;

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** `2025-01-31T14:05:00`: how the service reads a window's end, without an offset. */
export function formatLocalTime(local: LocalTime): string {
  return new Date(local).toISOString().slice(0, 19);
}

/** `+10:00` for 600 minutes. */
export function formatOffset(minutes: number): string {
  const sign = minutes < 0 ? "-" : "+";
  const absolute = Math.abs(minutes);
  return `${sign}${pad(Math.floor(absolute / 60))}:${pad(absolute % 60)}`;
}

/** `2025-01-31T14:05:00+10:00`: how the service stamps a point. */
export function formatStamp(local: LocalTime, offsetMinutes: number): string {
  return formatLocalTime(local) + formatOffset(offsetMinutes);
}

/** The start of the bucket that holds `local`. 7d starts on Sunday, season in December, March, June, September, fy on 1 July. */
export function bucketStart(interval: Interval, local: LocalTime): LocalTime {
  return bucketStartBy(INTERVALS[interval].bucket, local);
}

/** The same by a rule, for a service whose buckets start elsewhere (weeks on Monday). */
export function bucketStartBy(rule: BucketRule, local: LocalTime): LocalTime {
  if ("ms" in rule) return local - modulo(local - rule.phase, rule.ms);
  const date = new Date(local);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return monthStart(month - modulo(month - rule.phase, rule.months));
}

/** The start of the bucket that follows the one which holds `local`. */
export function nextBucketStart(interval: Interval, local: LocalTime): LocalTime {
  const { bucket } = INTERVALS[interval];
  const start = bucketStart(interval, local);
  if ("ms" in bucket) return start + bucket.ms;
  const date = new Date(start);
  return monthStart(date.getUTCFullYear() * 12 + date.getUTCMonth() + bucket.months);
}

export interface Duration {
  readonly amount: number;
  readonly unit: DurationUnit;
}

const DURATION_UNITS = { s: "seconds", m: "minutes", h: "hours", d: "days", w: "weeks", M: "months", y: "years" } as const;
export type DurationUnit = (typeof DURATION_UNITS)[keyof typeof DURATION_UNITS];

/** `30s`, `90m`, `12h`, `7d`, `2w`, `6M`, `1y`; undefined for anything else, nothing included. */
export function parseDuration(text: string): Duration | undefined {
  const match = /^(\d{1,9})([smhdwMy])$/.exec(text);
  const amount = Number(match?.[1]);
  if (!match || amount === 0) return undefined;
  return { amount, unit: DURATION_UNITS[match[2] as keyof typeof DURATION_UNITS] };
}

/** `8d`: a duration as it is written. */
export function formatDuration({ amount, unit }: Duration): string {
  const letter = Object.entries(DURATION_UNITS).find(([, name]) => name === unit)?.[0];
  return `${amount}${letter}`;
}

const FIXED_MS: Partial<Record<DurationUnit, number>> = { seconds: 1000, minutes: MINUTE, hours: 60 * MINUTE, days: DAY, weeks: 7 * DAY };

/** Milliseconds of a duration of fixed length; undefined for months and years. */
export function durationMs(duration: Duration): number | undefined {
  const unit = FIXED_MS[duration.unit];
  return unit === undefined ? undefined : unit * duration.amount;
}

function monthStart(month: number): LocalTime {
  return Date.UTC(Math.floor(month / 12), modulo(month, 12));
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
