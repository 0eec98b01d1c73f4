/** Buckets by their timestamps, in milliseconds since 1970 UTC, and which of an answer have ended. */
import { findNetwork, INTERVALS, type Interval } from "../../base/vocabulary.ts";
import type { AnswerHead } from "../../series/answer.ts";
import { findIntervalEnd } from "../../series/layout/interval-end.ts";
import { lowerBound } from "../../series/point-operations.ts";
import type { Points } from "../../series/points.ts";
import { findLastInstant, hasInstant } from "../../series/overlap.ts";
import { findClockOffset, findInterval, type TimeSeries } from "../../series/time-series.ts";
import { addBucket, bucketStart } from "../../time/buckets.ts";
import { subtractDuration } from "../../time/calendar.ts";
import type { Duration } from "../../time/duration.ts";
import { type LocalTime, MINUTE } from "../../time/local-time.ts";
import { parseStamp } from "../../time/stamp.ts";

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

/** Two clocks, in milliseconds since 1970 UTC. */
export interface Clocks {
  /** The service's, when it made the answer; undefined where it does not say. */
  readonly created: number | undefined;
  /** This machine's, when the answer was requested: it may be long on its way. */
  readonly now: number;
}

/** The timestamp of the first bucket that has not ended; Infinity where all have. */
export function findUnended(timeSeries: readonly TimeSeries[], calendar: Pick<Calendar, "endOf" | "goBack">, clocks: Clocks): number {
  const time = findTime(clocks, findLastInstant(timeSeries), calendar);
  let unended = Number.POSITIVE_INFINITY;
  for (const { instants } of listPoints(timeSeries)) {
    for (let index = instants.length - 1; index >= 0 && calendar.endOf(instants[index] as number) > time; index--) {
      unended = Math.min(unended, instants[index] as number);
    }
  }
  return unended;
}

/**
 * The time by which buckets have ended: that of the earlier clock, as the other may be ahead. Where the newest bucket is nearer
 * to the other, the earlier one is behind; but the newest bucket may be a forecast of the next one: so the one before it has
 * begun. With buckets of five minutes up to 12:05, a service's clock at 12:07 and this machine's at 11:47: the newest bucket is
 * 2 minutes from the one and 18 from the other, so it is 12:00, and the bucket of 11:55 is the last that has ended. Where there
 * is one clock, the newest bucket must have begun by its word and by its own.
 */
function findTime({ created, now }: Clocks, newest: number, { goBack }: Pick<Calendar, "goBack">): number {
  if (created === undefined) return Math.min(now, newest);
  const [earlier, later] = [Math.min(created, now), Math.max(created, now)];
  const begun = goBack(newest, 1);
  const isBehind = begun <= later && Math.abs(later - newest) < newest - earlier;
  return isBehind ? Math.max(earlier, begun) : earlier;
}

/** Whether a series that has the bucket before does not have this one. */
export function lacksSeries(timeSeries: readonly TimeSeries[], instant: number): boolean {
  const all = listPoints(timeSeries);
  const before = all.reduce((latest, points) => Math.max(latest, findBefore(points, instant)), Number.NEGATIVE_INFINITY);
  return all.some((points) => findBefore(points, instant) === before && !hasInstant(points, instant) && Number.isFinite(before));
}

/** When the service made the answers: the earliest of them. */
export function findCreated(heads: readonly AnswerHead[]): number | undefined {
  const stamps = heads.filter(({ hasData }) => hasData).map(({ envelope }) => envelope["created_at"]);
  // In UTC, where it does not say otherwise (v4.md).
  const instants = stamps.flatMap((stamp) => (typeof stamp === "string" ? (parseStamp(stamp, "Z") ?? []) : []));
  return instants.length === 0 ? undefined : instants.reduce((earliest, one) => Math.min(earliest, one));
}

function findBefore(points: Points, instant: number): number {
  return points.instants[lowerBound(points, instant) - 1] ?? Number.NEGATIVE_INFINITY;
}

function listPoints(timeSeries: readonly TimeSeries[]): Points[] {
  return timeSeries.flatMap(({ series }) => series.map(({ points }) => points));
}
