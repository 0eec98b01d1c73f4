/**
 * Finds which intervals of a response have ended. An interval is identified by its timestamp, in milliseconds since
 * 1970 UTC.
 */
import { findRule, type Interval } from "../base/intervals.ts";
import { findNetwork } from "../base/vocabulary.ts";
import { type DecodedHead, listCreated } from "../series/decoded-response.ts";
import { findIntervalEnd } from "../series/intervals/grid.ts";
import type { Points } from "../series/points.ts";
import { lowerBound } from "../series/point-operations.ts";
import { findLastInstant, hasInstant } from "../series/overlap.ts";
import { findClockOffset, findInterval, type TimeSeries } from "../series/time-series.ts";
import { addInterval, intervalStart } from "../time/calendar.ts";
import { subtractDuration, type Duration } from "../time/duration.ts";
import { type LocalTime, MINUTE } from "../time/local-time.ts";

export interface FollowClock {
  readonly interval: Interval;
  /** The end of the interval with this timestamp. */
  readonly endOf: (instant: number) => number;
  /** The timestamp `count` intervals earlier. */
  readonly goBack: (instant: number, count: number) => number;
  /** Start of the interval that contains an instant, in network time. */
  readonly startOf: (instant: number) => LocalTime;
  readonly toInstant: (local: LocalTime) => number;
  /** Start of the interval that contains the instant `duration` before `end`. */
  readonly findStart: (end: number, duration: Duration) => number;
}

/** `offset`: minutes by which network time is ahead of UTC. */
export function createCalendar(interval: Interval, offset: number): FollowClock {
  const rule = findRule(interval);
  const ahead = offset * MINUTE;
  return {
    interval,
    endOf: (instant) => findIntervalEnd(interval, instant, offset) as number,
    goBack: (instant, count) =>
      "ms" in rule
        ? instant - count * rule.ms
        : addInterval({ ...rule, months: -count * rule.months }, instant + ahead) - ahead,
    startOf: (instant) => intervalStart(interval, instant + ahead),
    toInstant: (local) => local - ahead,
    findStart: (end, duration) => intervalStart(interval, subtractDuration(end + ahead, duration)) - ahead,
  };
}

/**
 * Undefined if the query has no interval or the network's UTC offset is unknown; then the first response shows them.
 */
export function calendarOfQuery(network: string, interval: Interval | undefined): FollowClock | undefined {
  const known = findNetwork(network);
  return interval === undefined || known === undefined ? undefined : createCalendar(interval, known.offsetMinutes);
}

/** Undefined if neither the query nor the response names an interval that ents knows. */
export function calendarOfResponse(item: TimeSeries, queryInterval: Interval | undefined): FollowClock | undefined {
  const interval = queryInterval ?? findInterval(item);
  return interval && createCalendar(interval, findClockOffset(item));
}

/** Two clocks, in milliseconds since 1970 UTC. */
interface Clocks {
  /** When the service created the response, by its clock; undefined if it does not say. */
  readonly created: number | undefined;
  /** This machine's clock when the request was sent: the response may take long to arrive. */
  readonly now: number;
}

/** Timestamp of the first interval that has not ended; Infinity if all have. */
export function findFirstOpenInterval(
  timeSeries: readonly TimeSeries[],
  calendar: Pick<FollowClock, "endOf" | "goBack">,
  clocks: Clocks,
): number {
  const time = findTime(clocks, findLastInstant(timeSeries), calendar);
  let unended = Number.POSITIVE_INFINITY;
  for (const { instants } of listAllPoints(timeSeries)) {
    for (let index = instants.length - 1; index >= 0 && calendar.endOf(instants[index] as number) > time; index--) {
      unended = Math.min(unended, instants[index] as number);
    }
  }
  return unended;
}

/**
 * The current time, used to decide which intervals have ended. It is the earlier of the two clocks, since either may be
 * ahead. If the newest interval is closer to the later clock, though, the earlier clock is behind: then it is at least
 * the start of the interval before the newest (the newest itself may be a forecast). Example: five-minute intervals up
 * to 12:05, the service's clock at 12:07, this machine's at 11:47. The newest interval is 2 minutes from one clock and
 * 18 from the other, so the time is taken as 12:00, and the interval of 11:55 is the last that has ended. Without the
 * service's clock, it is this machine's, but no later than the timestamp of the newest interval.
 */
function findTime({ created, now }: Clocks, newest: number, { goBack }: Pick<FollowClock, "goBack">): number {
  if (created === undefined) return Math.min(now, newest);
  const [earlier, later] = [Math.min(created, now), Math.max(created, now)];
  const begun = goBack(newest, 1);
  const isBehind = begun <= later && Math.abs(later - newest) < newest - earlier;
  return isBehind ? Math.max(earlier, begun) : earlier;
}

/** True if a series has the interval before this one but lacks this one. */
export function lacksSeries(timeSeries: readonly TimeSeries[], instant: number): boolean {
  const all = listAllPoints(timeSeries);
  const before = all.reduce(
    (latest, points) => Math.max(latest, findBefore(points, instant)),
    Number.NEGATIVE_INFINITY,
  );
  return all.some(
    (points) => findBefore(points, instant) === before && !hasInstant(points, instant) && Number.isFinite(before),
  );
}

/** When the service created the earliest of these responses; undefined if none says. */
export function findCreated(heads: readonly DecodedHead[]): number | undefined {
  const instants = listCreated(heads);
  return instants.length === 0 ? undefined : instants.reduce((earliest, instant) => Math.min(earliest, instant));
}

function findBefore(points: Points, instant: number): number {
  return points.instants[lowerBound(points, instant) - 1] ?? Number.NEGATIVE_INFINITY;
}

function listAllPoints(timeSeries: readonly TimeSeries[]): Points[] {
  return timeSeries.flatMap(({ series }) => series.map(({ points }) => points));
}
