/** Counts the intervals of a window that have a point, or a value. Points outside the window do not count. */
import { type IntervalRule, findRule, type Interval } from "../../base/intervals.ts";
import { findNetwork, isForecast } from "../../base/vocabulary.ts";
import type { Query } from "../../query/query.ts";
import {
  addInterval,
  intervalOfTimestamp,
  intervalStart,
  countIntervals,
  listSeasons,
  nextIntervalStart,
} from "../../time/calendar.ts";
import { type LocalTime, MINUTE } from "../../time/local-time.ts";
import { parseTimestamp } from "../../time/timestamp.ts";
import { newestRun } from "../forecast-runs.ts";
import { isAt, type PointCursor, Timeline } from "../layout/timeline.ts";
import { type Instants, type Points, ScannedPoints } from "../points.ts";
import { findInterval, findOffsetMs, type TimeSeries, findClockOffset, findNetworkOffset } from "../time-series.ts";
import { findIntervalEnd } from "./grid.ts";
import { isKnownNull, parseNumber } from "../point-operations.ts";

export interface CountedIntervals {
  /**
   * Intervals that have ended or have a point. A window without an end ends at the last point, or `delay` before now.
   */
  readonly all: number;
  /** Intervals without a point. */
  readonly empty: number;
  /** Spans of empty intervals, in order of time; at most the first ten of those between points. */
  readonly spans: readonly IntervalSpan[];
  /** The interval of the query, or else that of the responses. */
  readonly interval: Interval;
}

/** Consecutive intervals, with the starts of the first and last. */
interface IntervalSpan {
  readonly first: LocalTime;
  readonly last: LocalTime;
  readonly count: number;
}

const MAX_REMEMBERED_GAPS = 10;

/** Counts instants in order. */
export class IntervalCount {
  readonly #query: Query;
  readonly #now: number;
  readonly #delay: number | undefined;
  #interval: Interval | undefined;
  /** Milliseconds by which network time is ahead of UTC. */
  #offset: number | undefined;
  #filled = 0;
  #first = Number.NaN;
  #last = Number.NEGATIVE_INFINITY;
  /**
   * True if an instant is not the start of an interval; the first and last do not count, as they may be in partial
   * intervals.
   */
  #isShifted = false;
  readonly #seasons = new Set<LocalTime>();
  /** The first gaps, as the points before and after each. */
  readonly #gaps: (readonly [before: LocalTime, after: LocalTime])[] = [];

  /**
   * `delay`: how long before now a window without an end ends, in milliseconds; by default it ends at the last point.
   */
  constructor(query: Query, now: number, delay?: number) {
    this.#query = query;
    this.#now = now;
    this.#delay = delay;
    this.#interval = query.interval;
    const minutes = findNetwork(query.network)?.offsetMinutes;
    this.#offset = minutes === undefined ? undefined : minutes * MINUTE;
  }

  /** Adds the instants of each series; they must be later than those added before. */
  add(series: readonly { readonly item: TimeSeries; readonly instants: Instants }[]): void {
    const [first] = series;
    if (!first) return;
    this.#interval ??= findInterval(first.item);
    this.#offset ??= findOffsetMs(this.#query.network, [first.item]);
    for (const instant of listDistinctInstants(series.map(({ instants }) => instants))) {
      const local = instant + (this.#offset ?? 0);
      if (this.#isOwn(local)) this.#take(local);
    }
  }

  /** True if a timestamp belongs to an interval of the window; services may send others. */
  #isOwn(local: LocalTime): boolean {
    const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = this.#query.window;
    if (this.#interval === undefined || (local >= start && local <= end)) return true;
    const [from, to] = intervalOfTimestamp(this.#interval, local);
    return to > start && from <= end;
  }

  #take(local: LocalTime): void {
    const rule = this.#interval && findRule(this.#interval);
    if (this.#interval === "season") this.#seasons.add(local);
    if (this.#filled === 0) this.#first = local;
    else if (rule) {
      if (this.#filled > 1) this.#isShifted ||= intervalStart(rule, this.#last) !== this.#last;
      if (this.#gaps.length < MAX_REMEMBERED_GAPS && addInterval(rule, this.#last) < local)
        this.#gaps.push([this.#last, local]);
    }
    this.#filled++;
    this.#last = local;
  }

  /** Undefined if the start of the window, the interval or the service's interval starts are unknown. */
  count(): CountedIntervals | undefined {
    const [interval, rule] = [this.#interval, this.#findRule()];
    const { start } = this.#query.window;
    if (start === undefined || interval === undefined || rule === undefined) return undefined;
    const end = this.#findEnd(rule);
    // Seasons are not contiguous: one is January, February and December.
    if (this.#seasons.size > 0) {
      const empty = this.#listEmptySeasons(start, end);
      const spans = empty.map((season) => ({ first: season, last: season, count: 1 }));
      return { all: this.#seasons.size + empty.length, empty: empty.length, spans, interval };
    }
    const all = countIntervals(rule, start, end);
    return { all, empty: Math.max(0, all - this.#filled), spans: this.#listSpans(rule, start, end), interval };
  }

  #listSpans(rule: IntervalRule, start: LocalTime, end: LocalTime): IntervalSpan[] {
    const startOf = (local: LocalTime) => intervalStart(rule, local);
    const nextOf = (local: LocalTime) => nextIntervalStart(rule, local);
    const inner = this.#gaps.map(([before, after]) => [nextOf(before), startOf(after)] as const);
    const [first, last] = this.#filled > 0 ? [startOf(this.#first), nextOf(this.#last)] : [nextOf(end), nextOf(end)];
    const gaps = [[startOf(start), first] as const, ...inner, [last, nextOf(end)] as const];
    return gaps
      .filter(([from, to]) => from < to)
      .map(([from, to]) => ({ first: from, last: startOf(to - 1), count: countIntervals(rule, from, to - 1) }));
  }

  /** Finished seasons without a point. */
  #listEmptySeasons(start: LocalTime, end: LocalTime): LocalTime[] {
    const now = this.#now + (this.#offset ?? 0);
    const until = Math.min(this.#query.window.end ?? end, now) - 1;
    return listSeasons(start, until).filter(
      (timestamp) => !this.#seasons.has(timestamp) && intervalOfTimestamp("season", timestamp)[1] <= now,
    );
  }

  #findEnd(rule: IntervalRule): LocalTime {
    const now = this.#now + (this.#offset ?? 0);
    const ended = intervalStart(rule, now) - 1;
    const end =
      this.#query.window.end ?? (this.#delay === undefined ? undefined : intervalStart("5m", now - this.#delay) - 1);
    if (end === undefined) return this.#filled > 0 ? this.#last : ended;
    // The service may treat the end of a window as exclusive.
    const until = intervalStart(rule, end) === end ? end - 1 : end;
    return Math.max(Math.min(until, ended), this.#last);
  }

  #findRule(): IntervalRule | undefined {
    if (this.#interval === undefined || this.#offset === undefined) return undefined;
    const rule = findRule(this.#interval);
    // Their timestamps may be any day in the interval.
    if (this.#interval === "season" || this.#interval === "fy") return rule;
    return this.#isShifted ? undefined : rule;
  }
}

function* listDistinctInstants(all: readonly Instants[]): Generator<number> {
  const timeline = new Timeline(all.map((instants): PointCursor => ({ instants, next: 0 })));
  for (; timeline.instant !== Number.POSITIVE_INFINITY; timeline.advance()) {
    yield timeline.instant;
    for (const cursor of timeline.due) while (isAt(cursor, timeline.instant)) cursor.next++;
  }
}

export interface Newest {
  /** The end of the value's interval, in milliseconds since 1970 UTC; its timestamp if the end is unknown. */
  readonly end: number;
  /** The UTC offset of its network's time, in minutes. */
  readonly clockOffset: number;
}

/** Finds intervals without a value, and the newest value. Null and text such as "n/a" do not count as values. */
export class Coverage {
  readonly #query: Query;
  readonly #intervals: IntervalCount;
  /** Of measured data; undefined if there is no value. */
  newest: Newest | undefined;
  /**
   * Of forecasts, whose newest value says nothing of their age: the run that was issued last; undefined if it is
   * unknown.
   */
  newestRun: Newest | undefined;

  /** `now`: milliseconds since 1970 UTC. */
  constructor(query: Query, now: number) {
    this.#query = query;
    // The public service omits the newest five minutes.
    this.#intervals = new IntervalCount(query, now, 5 * MINUTE);
  }

  add(timeSeries: readonly TimeSeries[]): void {
    const filled = timeSeries.flatMap((item) =>
      item.series
        .map(({ points }) => ({ item, instants: listFilledInstants(points) }))
        .filter(({ instants }) => instants.length > 0),
    );
    this.#intervals.add(filled);
    for (const { item, instants } of filled)
      if (!isForecast(item.metric)) this.#observe(item, instants.at(-1) as number);
    for (const item of timeSeries) this.#observeRuns(item);
  }

  /** Counts finished intervals without a value; undefined if they cannot be counted. */
  findEmpty(): CountedIntervals | undefined {
    return this.#intervals.count();
  }

  #observeRuns(item: TimeSeries): void {
    const run = newestRun(item.series.flatMap(({ runs = [] }) => runs.map((span) => span.run)));
    const end = run === null ? undefined : parseTimestamp(run, "Z");
    if (end !== undefined && (this.newestRun === undefined || end > this.newestRun.end))
      this.newestRun = { end, clockOffset: findClockOffset(item) };
  }

  #observe(item: TimeSeries, instant: number): void {
    const end =
      findIntervalEnd(this.#query.interval ?? findInterval(item), instant, findNetworkOffset(item)) ?? instant;
    if (this.newest === undefined || end > this.newest.end) this.newest = { end, clockOffset: findClockOffset(item) };
  }
}

/** The instants of points whose value is a number. */
function listFilledInstants(points: Points): Instants {
  if (points instanceof ScannedPoints) {
    const { lengths } = points.columns;
    return lengths.includes(0) ? points.instants.filter((_, index) => lengths[index] !== 0) : points.instants;
  }
  return Array.from(points.instants).filter(
    (_, index) => isKnownNull(points, index) || !Number.isNaN(parseNumber(points.values[index] ?? null) ?? Number.NaN),
  );
}
