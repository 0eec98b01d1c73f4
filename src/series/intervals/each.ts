/** Finds the intervals of each series that have no value, between its first and last point. */
import type { Interval } from "../../base/intervals.ts";
import type { Query } from "../../query/query.ts";
import { createNumberReader, isKnownNull } from "../point-operations.ts";
import {
  findClockOffset,
  findInterval,
  findNetworkOffset,
  keySeries,
  nameSeries,
  type Series,
  type TimeSeries,
} from "../time-series.ts";
import { MINUTE } from "../../time/local-time.ts";
import { NO_POINTS } from "../points.ts";
import { type IntervalStepper, createStepper, findIntervalEnd } from "./grid.ts";

/** Consecutive intervals, by the instants of the first and last. */
interface EmptySpan {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

interface MissingSeries {
  readonly name: string;
  readonly interval: Interval;
  /** Milliseconds by which network time is ahead of UTC. */
  readonly offset: number;
  readonly empty: number;
  /** In order of time; at most the first ten. */
  readonly spans: readonly EmptySpan[];
}

interface SeriesCursor {
  readonly item: TimeSeries;
  readonly series: Series;
  readonly interval: Interval;
  readonly step: IntervalStepper;
  /** The instant of the last point so far. */
  last: number;
  empty: number;
  readonly spans: EmptySpan[];
}

const MAX_SPANS = 10;

export class EachCoverage {
  readonly #query: Query;
  readonly #now: number;
  readonly #series = new Map<string, SeriesCursor>();
  /** True if a series has an interval that ents does not know. */
  isUnclear = false;

  /** `now`: milliseconds since 1970 UTC; intervals that have not ended by then do not count. */
  constructor(query: Query, now: number) {
    this.#query = query;
    this.#now = now;
  }

  /** Adds the points of each series; they must be later than those added before. */
  add(timeSeries: readonly TimeSeries[]): void {
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      if (series.points.instants.length === 0) continue;
      const known = this.#series.get(key) ?? this.#start(item, series);
      if (known) {
        this.#series.set(key, known);
        this.#take(series, known);
      } else this.isUnclear = true;
    }
  }

  #start(item: TimeSeries, series: Series): SeriesCursor | undefined {
    const interval = this.#query.interval ?? findInterval(item);
    const step = createStepper(item, interval);
    if (interval === undefined || step === undefined) return undefined;
    const own = { item: { ...item, series: [] }, series: { ...series, points: NO_POINTS }, interval, step };
    return { ...own, last: Number.NaN, empty: 0, spans: [] };
  }

  /** The series that lack values, those that lack most first. */
  list(): MissingSeries[] {
    return [...this.#series.values()]
      .filter(({ empty }) => empty > 0)
      .sort((a, b) => b.empty - a.empty)
      .map(({ item, series, interval, empty, spans }) => ({
        name: nameSeries(series),
        interval,
        offset: findClockOffset(item) * MINUTE,
        empty,
        spans,
      }));
  }

  #take({ points }: Series, known: SeriesCursor): void {
    const { step } = known;
    const { instants } = points;
    const read = createNumberReader(points);
    for (let index = 0; index < instants.length; ) {
      const instant = instants[index] as number;
      for (let missing = step.next(known.last); missing < instant; missing = step.next(missing))
        this.#lack(missing, known);
      let isFilled = false;
      for (; instants[index] === instant; index++)
        isFilled ||= isKnownNull(points, index) || !Number.isNaN(read(index) ?? Number.NaN);
      if (!isFilled) this.#lack(instant, known);
      known.last = instant;
    }
  }

  #lack(instant: number, known: SeriesCursor): void {
    const { item, interval, spans, step } = known;
    const { start, end } = this.#query.window;
    const local = instant + findClockOffset(item) * MINUTE;
    const over = findIntervalEnd(interval, instant, findNetworkOffset(item)) ?? instant;
    if (local < (start ?? local) || local > (end ?? local) || over > this.#now) return;
    const last = spans.at(-1);
    known.empty++;
    if (last && step.next(last.last) === instant)
      spans[spans.length - 1] = { ...last, last: instant, count: last.count + 1 };
    else if (spans.length < MAX_SPANS) spans.push({ first: instant, last: instant, count: 1 });
  }
}
