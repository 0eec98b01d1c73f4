/** Finds what is new in each response: intervals that have ended, and changes to intervals emitted before. */
import { usageError } from "../base/errors.ts";
import { type Change, comparePoints } from "../store/compare.ts";
import { QUERY_OPTIONS } from "../options/query-options.ts";
import type { Query } from "../query/query.ts";
import type { Chunk } from "../series/merge.ts";
import { valueAt } from "../series/point-operations.ts";
import { findFirstInstant, findLastInstant, splitTimeSeries } from "../series/overlap.ts";
import type { Series, TimeSeries } from "../series/time-series.ts";
import { DAY, formatLocalTime, type LocalTime } from "../time/local-time.ts";
import {
  type FollowClock,
  calendarOfResponse,
  calendarOfQuery,
  findCreated,
  findFirstOpenInterval,
  lacksSeries,
} from "./intervals.ts";

export interface News {
  /** Intervals that have ended, all later than those emitted before; or a response that cannot be read. */
  readonly fresh: Chunk;
  /** Start of `earlier`, in milliseconds since 1970 UTC. */
  readonly since: number;
  /** Intervals emitted before, with their current values. */
  readonly earlier: readonly TimeSeries[];
  /** Changes in `earlier` since the last response. */
  readonly changes: readonly Change[];
}

/** Number of intervals fetched again each time, as their values may be late or restated. */
const REVISED = 6;
/** A series further behind the newest value than this does not extend the span that is fetched again. */
const MAX_LAG = DAY;

/** Instants are in milliseconds since 1970 UTC. */
export class Tracker {
  readonly #query: Query;
  #calendar: FollowClock | undefined;
  /** The newest interval emitted. */
  #last: number | undefined;
  /** The interval held back once because a series lacked it. */
  #awaited: number | undefined;
  /** Creation time of the latest response that states one. */
  #created: number | undefined;
  /** Milliseconds by which this machine's clock is ahead of the service's, according to that response. */
  #ahead = 0;
  /** The earliest interval that is fetched again. */
  #since = Number.NEGATIVE_INFINITY;
  /** Emitted intervals from `#since` on, as last received. */
  #held: readonly TimeSeries[] = [];

  constructor(query: Query) {
    this.#query = query;
    this.#calendar = calendarOfQuery(query.network, query.interval);
  }

  get calendar(): FollowClock | undefined {
    return this.#calendar;
  }

  get last(): number | undefined {
    return this.#last;
  }

  /** The time by this machine's clock, or by the service's if that is behind. An open window ends there. */
  timeAt(now: number): number {
    return now - Math.max(0, this.#ahead);
  }

  /**
   * Query of the next request: the complete one first, then only new intervals and those that may be late or restated.
   */
  get query(): Query {
    if (this.#calendar === undefined || this.#last === undefined) return this.#query;
    const { goBack, startOf, interval } = this.#calendar;
    // One interval earlier: a service's intervals may start at other times, and then the first one is partial.
    const start = startOf(goBack(this.#since, 1));
    return startQueryAt(this.#query, Math.max(start, this.#query.window.start ?? start), interval);
  }

  /**
   * `now`: when the request was sent. Undefined if the response has no points. @throws {EntsError} usage: the interval
   * is unknown.
   */
  take(decoded: Chunk, now: number): News | undefined {
    const { timeSeries, heads } = decoded;
    const made = findCreated(heads);
    // A creation time that does not change between responses is not a clock.
    const created = made === this.#created ? undefined : made;
    if (made !== undefined) [this.#ahead, this.#created] = [now - made, made];
    if (decoded.unknown ?? decoded.incomplete)
      return { fresh: decoded, since: Number.POSITIVE_INFINITY, earlier: [], changes: [] };
    const first = findFirstInstant(timeSeries);
    if (!Number.isFinite(first)) return undefined;
    const calendar = (this.#calendar ??= findCalendar(timeSeries, this.#query));
    const [last, since] = this.#last === undefined ? [first - 1, first] : [this.#last, this.#since];
    const earlier = cut(timeSeries, since, last);
    const changes = [...comparePoints(this.#held, earlier)];
    const ended = splitTimeSeries(timeSeries, findFirstOpenInterval(timeSeries, calendar, { created, now }))[0];
    const fresh = splitTimeSeries(this.#awaitSeries(ended), last + 1)[1];
    const newest = findLastInstant(fresh);
    if (Number.isFinite(newest)) this.#last = newest;
    if (this.#last !== undefined) {
      this.#since = Math.max(since, reachBack(timeSeries, calendar.goBack(this.#last, REVISED)));
      this.#held = cut(timeSeries, this.#since, this.#last);
    }
    return { fresh: { heads: [], timeSeries: fresh }, since, earlier, changes };
  }

  /** Holds the newest interval back once if a series that has the interval before lacks it. */
  #awaitSeries(ended: TimeSeries[]): TimeSeries[] {
    const newest = findLastInstant(ended);
    const isNew = newest > (this.#last ?? Number.NEGATIVE_INFINITY);
    if (!isNew || newest === this.#awaited || !lacksSeries(ended, newest)) return ended;
    this.#awaited = newest;
    return splitTimeSeries(ended, newest)[0];
  }
}

function cut(timeSeries: readonly TimeSeries[], from: number, last: number): TimeSeries[] {
  return splitTimeSeries(splitTimeSeries(timeSeries, from)[1], last + 1)[0];
}

/** Extends the span fetched again to the last value of the series that lags most, as its next values may be late. */
function reachBack(timeSeries: readonly TimeSeries[], revised: number): number {
  const lasts = timeSeries.flatMap(({ series }) => series.map(findLastValue));
  const newest = Math.max(...lasts);
  return Math.min(revised, ...lasts.filter((last) => newest - last <= MAX_LAG));
}

/** Instant of the last point with a value. */
function findLastValue({ points }: Series): number {
  let index = points.instants.length - 1;
  while (index >= 0 && valueAt(points, index) === null) index--;
  return points.instants[index] ?? Number.NEGATIVE_INFINITY;
}

function findCalendar(timeSeries: readonly TimeSeries[], { interval }: Query): FollowClock {
  const item = timeSeries.find(({ series }) => series.length > 0);
  const calendar = item && calendarOfResponse(item, interval);
  if (calendar) return calendar;
  const named = item?.fields["interval"];
  throw usageError(
    `cannot follow: ${typeof named === "string" ? `unknown interval "${named}"` : "the service names no interval"}`,
    `choose one with ${QUERY_OPTIONS.interval.short}`,
  );
}

/** The query with another start and no end; it names its interval, so that the service does not choose one. */
function startQueryAt(query: Query, start: LocalTime, interval: string): Query {
  const others = query.parameters.filter(({ name }) => name !== "date_start" && name !== "interval");
  return {
    ...query,
    window: { start, end: undefined },
    parameters: [
      ...others,
      { name: "interval", values: [interval] },
      { name: "date_start", values: [formatLocalTime(start)] },
    ],
  };
}
