/** What is new in each answer. */
import { usageError } from "../../base/errors.ts";
import { type Change, comparePoints } from "../../kept/compare.ts";
import { QUERY_OPTIONS } from "../../options/query-options.ts";
import type { Query } from "../../query/query.ts";
import type { Chunk } from "../../series/merge.ts";
import { valueAt } from "../../series/point-operations.ts";
import { findFirstInstant, findLastInstant, splitTimeSeries } from "../../series/overlap.ts";
import type { Series, TimeSeries } from "../../series/time-series.ts";
import { DAY, formatLocalTime, type LocalTime } from "../../time/local-time.ts";
import { type Calendar, calendarOfAnswer, calendarOfQuery, findCreated, findUnended, lacksSeries } from "./buckets.ts";

export interface News {
  /** Buckets that have ended, each later than all before; or an answer that cannot be read. */
  readonly fresh: Chunk;
  /** What was given out before, as it is now: all of it from this instant on, in milliseconds since 1970 UTC. */
  readonly since: number;
  readonly earlier: readonly TimeSeries[];
  /** What of that has changed since the last answer. */
  readonly changes: readonly Change[];
}

/** Buckets that are asked for again, as values come late and are restated. */
const REVISED = 6;
/** So far behind the newest value a series is waited for: what is gone for longer is over. */
const MAX_LAG = DAY;

/** Instants are in milliseconds since 1970 UTC. */
export class Tracker {
  readonly #query: Query;
  #calendar: Calendar | undefined;
  /** The newest bucket that was given out. */
  #last: number | undefined;
  /** The bucket that was left out once, for a series that had not come. */
  #awaited: number | undefined;
  /** When the service made the last answer that says. */
  #created: number | undefined;
  /** How far this machine's clock is ahead of the service's, by that answer. */
  #ahead = 0;
  /** The earliest bucket that is asked for again, and what was there of it and the later ones that were given out. */
  #since = Number.NEGATIVE_INFINITY;
  #held: readonly TimeSeries[] = [];

  constructor(query: Query) {
    this.#query = query;
    this.#calendar = calendarOfQuery(query.network, query.interval);
  }

  get calendar(): Calendar | undefined {
    return this.#calendar;
  }

  get last(): number | undefined {
    return this.#last;
  }

  /** The time by the service's clock, where that is behind this machine's: a window that is open ends there. */
  timeAt(now: number): number {
    return now - Math.max(0, this.#ahead);
  }

  /** The next request: first the whole query, then what is new, and what may come late or be restated. */
  get query(): Query {
    if (this.#calendar === undefined || this.#last === undefined) return this.#query;
    const { goBack, startOf, interval } = this.#calendar;
    // One more: a service's buckets may start elsewhere, and then the first is partial.
    const start = startOf(goBack(this.#since, 1));
    return startAt(this.#query, Math.max(start, this.#query.window.start ?? start), interval);
  }

  /** `now`: when it was asked for. @throws {EntsError} usage: the interval is unknown. */
  take(answer: Chunk, now: number): News | undefined {
    const { timeSeries, heads } = answer;
    const made = findCreated(heads);
    // A clock that stands still is none.
    const created = made === this.#created ? undefined : made;
    if (made !== undefined) [this.#ahead, this.#created] = [now - made, made];
    if (answer.unknown ?? answer.incomplete) return { fresh: answer, since: Number.POSITIVE_INFINITY, earlier: [], changes: [] };
    const first = findFirstInstant(timeSeries);
    if (!Number.isFinite(first)) return undefined;
    const calendar = (this.#calendar ??= findCalendar(timeSeries, this.#query));
    const [last, since] = this.#last === undefined ? [first - 1, first] : [this.#last, this.#since];
    const earlier = cut(timeSeries, since, last);
    const changes = [...comparePoints(this.#held, earlier)];
    const ended = splitTimeSeries(timeSeries, findUnended(timeSeries, calendar, { created, now }))[0];
    const fresh = splitTimeSeries(this.#awaitSeries(ended), last + 1)[1];
    const newest = findLastInstant(fresh);
    if (Number.isFinite(newest)) this.#last = newest;
    if (this.#last !== undefined) {
      this.#since = Math.max(since, reachBack(timeSeries, calendar.goBack(this.#last, REVISED)));
      this.#held = cut(timeSeries, this.#since, this.#last);
    }
    return { fresh: { heads: [], timeSeries: fresh }, since, earlier, changes };
  }

  /** The newest bucket waits, once, for series that have the one before. */
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

/** To the last value of the series that lags most, which other values may follow. */
function reachBack(timeSeries: readonly TimeSeries[], revised: number): number {
  const lasts = timeSeries.flatMap(({ series }) => series.map(findLastValue));
  const newest = Math.max(...lasts);
  return Math.min(revised, ...lasts.filter((last) => newest - last <= MAX_LAG));
}

/** The instant of its last point with a value. */
function findLastValue({ points }: Series): number {
  let index = points.instants.length - 1;
  while (index >= 0 && valueAt(points, index) === null) index--;
  return points.instants[index] ?? Number.NEGATIVE_INFINITY;
}

function findCalendar(timeSeries: readonly TimeSeries[], { interval }: Query): Calendar {
  const item = timeSeries.find(({ series }) => series.length > 0);
  const calendar = item && calendarOfAnswer(item, interval);
  if (calendar) return calendar;
  const named = item?.fields["interval"];
  throw usageError(
    `cannot follow: ${typeof named === "string" ? `unknown interval "${named}"` : "the service names no interval"}`,
    `choose one with ${QUERY_OPTIONS.interval.short}`,
  );
}

/** The same query from another start, without an end; the service is to choose no other interval for it. */
function startAt(query: Query, start: LocalTime, interval: string): Query {
  const others = query.parameters.filter(({ name }) => name !== "date_start" && name !== "interval");
  return {
    ...query,
    window: { start, end: undefined },
    parameters: [...others, { name: "interval", values: [interval] }, { name: "date_start", values: [formatLocalTime(start)] }],
  };
}
