/** Buckets by their timestamps, in milliseconds since 1970 UTC. */
import { findNetwork, INTERVALS, type Interval } from "../../base/vocabulary.ts";
import { findIntervalEnd } from "../../series/layout/interval-end.ts";
import { findClockOffset, findInterval, type TimeSeries } from "../../series/time-series.ts";
import { addBucket, bucketStart } from "../../time/buckets.ts";
import { subtractDuration } from "../../time/calendar.ts";
import type { Duration } from "../../time/duration.ts";
import { type LocalTime, MINUTE } from "../../time/local-time.ts";

export interface Calendar {
  readonly interval: Interval;
  /** The end of the bucket with this timestamp. */
  readonly endOf: (instant: number) => number;
  /** The timestamp so many buckets earlier. */
  readonly goBack: (instant: number, count: number) => number;
  /** The network time at which the bucket of an instant starts. */
  readonly startOf: (instant: number) => LocalTime;
  readonly toInstant: (local: LocalTime) => number;
  /** The start of the bucket that is so long before an instant. */
  readonly findStart: (end: number, duration: Duration) => number;
}

/** `offset`: minutes by which network time is ahead of UTC. */
export function createCalendar(interval: Interval, offset: number): Calendar {
  const { bucket } = INTERVALS[interval];
  const ahead = offset * MINUTE;
  return {
    interval,
    endOf: (instant) => findIntervalEnd(interval, instant, offset) as number,
    goBack: (instant, count) =>
      "ms" in bucket ? instant - count * bucket.ms : addBucket({ ...bucket, months: -count * bucket.months }, instant + ahead) - ahead,
    startOf: (instant) => bucketStart(interval, instant + ahead),
    toInstant: (local) => local - ahead,
    findStart: (end, duration) => bucketStart(interval, subtractDuration(end + ahead, duration)) - ahead,
  };
}

/** Undefined without an interval, or without an offset, that is known before an answer. */
export function calendarOfQuery(network: string, interval: Interval | undefined): Calendar | undefined {
  const known = findNetwork(network);
  return interval === undefined || known === undefined ? undefined : createCalendar(interval, known.offsetMinutes);
}

/** Undefined where neither the query nor the answer names an interval that ents knows. */
export function calendarOfAnswer(item: TimeSeries, asked: Interval | undefined): Calendar | undefined {
  const interval = asked ?? findInterval(item);
  return interval && createCalendar(interval, findClockOffset(item));
}
