/** What is new in each answer. */
import { usageError } from "../../base/errors.ts";
import { QUERY_OPTIONS } from "../../options/query-options.ts";
import type { Query } from "../../query/query.ts";
import type { Chunk } from "../../series/merge.ts";
import { keySeries } from "../../series/keyed.ts";
import { valueAt } from "../../series/point-operations.ts";
import { findFirstInstant, findLastInstant, splitTimeSeries } from "../../series/settle.ts";
import type { TimeSeries } from "../../series/time-series.ts";
import { DAY, formatLocalTime, type LocalTime } from "../../time/local-time.ts";
import { type Calendar, calendarOfAnswer, calendarOfQuery } from "./calendar.ts";
import { findCreated, findUnended, lacksSeries } from "./ended.ts";

/** Instants are in milliseconds since 1970 UTC. */
export interface News {
  /** Buckets that have ended, each later than all before; or an answer that cannot be read. */
  readonly fresh: Chunk;
  /** Buckets that were fresh before, as they are now: all those from `since` until `until`. */
  readonly earlier: readonly TimeSeries[];
  readonly since: number;
  readonly until: number;
  /** The earliest bucket that the next round asks for again. */
  readonly nextSince: number;
}

/** Buckets that are asked for again, as values come late and are restated. */
const REVISED = 6;
/** So far behind the newest value a series is waited for: what is gone for longer is over. */
const MAX_LAG = DAY;

const NOTHING: News = {
  fresh: { heads: [], timeSeries: [] },
  earlier: [],
  since: Number.POSITIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
  nextSince: Number.POSITIVE_INFINITY,
};

export class Tracker {
  readonly #query: Query;
  #calendar: Calendar | undefined;
  #first: number | undefined;
  #last: number | undefined;
  /** The bucket that was left out once, for a series that had not come. */
  #awaited: number | undefined;
  /** When the service made the answers of this round, and those of the round before. */
  #created: number | undefined;
  #createdBefore: number | undefined;
  /** How far this machine's clock is ahead of the service's, by the last answer that says. */
  #ahead = 0;
  /** The newest bucket of this round's answers so far. */
  #seen = Number.NEGATIVE_INFINITY;
  #isOver = false;
  /** The earliest bucket that is asked for again. */
  #since = Number.NEGATIVE_INFINITY;
  /** Where each series has its last value. */
  readonly #lasts = new Map<string, number>();

  constructor(query: Query) {
    this.#query = query;
    this.#calendar = calendarOfQuery(query.network, query.interval);
  }

  get calendar(): Calendar | undefined {
    return this.#calendar;
  }

  /** The timestamp of the newest bucket that was given out. */
  get last(): number | undefined {
    return this.#last;
  }

  /** The time by the service's clock, where that is behind this machine's: a window that is open ends there. */
  timeAt(now: number): number {
    return now - Math.max(0, this.#ahead);
  }

  /** The next request: first the whole query, then what is new, and what may come late or be restated. */
  startRound(): Query {
    this.#isOver = false;
    this.#seen = Number.NEGATIVE_INFINITY;
    this.#createdBefore = this.#created ?? this.#createdBefore;
    this.#created = undefined;
    if (this.#calendar === undefined || this.#last === undefined || this.#first === undefined) return this.#query;
    const { goBack, startOf, interval } = this.#calendar;
    // One more: a service's buckets may start elsewhere, and then the first is partial.
    const start = startOf(goBack(this.#since, 1));
    return startAt(this.#query, Math.max(start, this.#query.window.start ?? startOf(this.#first)), interval);
  }

  /** @throws {EntsError} usage: the interval is unknown. */
  take(chunk: Chunk, { now, continues }: { readonly now: number; readonly continues: boolean }): News {
    const { timeSeries, heads } = chunk;
    const made = findCreated(heads);
    if (made !== undefined) this.#ahead = now - made;
    this.#created = made ?? this.#created;
    if (chunk.unknown ?? chunk.incomplete) return { ...NOTHING, fresh: chunk };
    const first = findFirstInstant(timeSeries);
    if (this.#isOver || !Number.isFinite(first)) return NOTHING;
    const calendar = (this.#calendar ??= findCalendar(timeSeries, this.#query));
    // A clock that stands still is none.
    const created = this.#created === this.#createdBefore ? undefined : this.#created;
    const unended = findUnended(timeSeries, calendar, { created, now, continues });
    this.#isOver = Number.isFinite(unended);
    const ended = this.#awaitSeries(splitTimeSeries(timeSeries, unended)[0], continues);
    const last = this.#last ?? first - 1;
    const [old, fresh] = [splitTimeSeries(timeSeries, last + 1)[0], splitTimeSeries(ended, last + 1)[1]];
    const since = Math.max(Number.isFinite(this.#since) ? this.#since : calendar.goBack(last, REVISED), this.#seen + 1);
    this.#seen = findLastInstant(timeSeries);
    const newest = findLastInstant(fresh);
    if (Number.isFinite(newest)) {
      this.#first ??= first;
      this.#last = newest;
    }
    this.#since = this.#reachBack(timeSeries, calendar.goBack(Math.max(newest, last), REVISED));
    return {
      fresh: { heads: [], timeSeries: fresh },
      earlier: splitTimeSeries(old, since)[1],
      since,
      until: continues ? this.#seen : Number.POSITIVE_INFINITY,
      nextSince: this.#since,
    };
  }

  /** To the last value of the series that lags most, which other values may follow; never further than before. */
  #reachBack(timeSeries: readonly TimeSeries[], revised: number): number {
    for (const [key, { series }] of keySeries(timeSeries)) {
      const { points } = series;
      let index = points.instants.length - 1;
      while (index >= 0 && valueAt(points, index) === null) index--;
      const last = points.instants[index];
      if (last !== undefined) this.#lasts.set(key, Math.max(last, this.#lasts.get(key) ?? last));
    }
    const lasts = [...this.#lasts.values()];
    const newest = Math.max(...lasts);
    const lagging = lasts.filter((last) => newest - last <= MAX_LAG);
    return Math.max(this.#since, Math.min(revised, ...lagging));
  }

  /** The newest bucket waits, once, for series that have the one before. */
  #awaitSeries(ended: TimeSeries[], continues: boolean): TimeSeries[] {
    const newest = findLastInstant(ended);
    const isNew = newest > (this.#last ?? Number.NEGATIVE_INFINITY);
    if (continues || !isNew || newest === this.#awaited || !lacksSeries(ended, newest)) return ended;
    this.#awaited = newest;
    return splitTimeSeries(ended, newest)[0];
  }
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
