/** Statistics of a result, per series, updated as points arrive. */
import type { Interval } from "../base/intervals.ts";
import type { Query } from "../query/query.ts";
import { IntervalCount, type CountedIntervals } from "./intervals/count.ts";
import { type IntervalStepper, createStepper } from "./intervals/grid.ts";
import { compareLabels, listLabelLists, orderLabelNames, rankMetrics } from "./order.ts";
import { findPartialStarts } from "./partial-starts.ts";
import { NO_POINTS, type Points } from "./points.ts";
import { createNumberReader } from "./point-operations.ts";
import { findClockOffset, findInterval, keySeries, resolveInterval, type Series, type TimeSeries } from "./time-series.ts";

/** Accepts series in chunks, each later than the one before; keeps no points. */
export class Summary {
  readonly #query: Query;
  readonly #series = new Map<string, SeriesSummary>();
  readonly #intervals: IntervalCount;
  readonly #partial: readonly number[];

  /** `now`: milliseconds since 1970 UTC. `partial`: the starts of intervals that are not complete, in network time. */
  constructor(query: Query, now: number, partial: readonly number[] = []) {
    this.#query = query;
    this.#partial = partial;
    this.#intervals = new IntervalCount(query, now);
  }

  add(timeSeries: readonly TimeSeries[]): void {
    const filled = [...keySeries(timeSeries)].filter(([, { series }]) => series.points.instants.length > 0);
    for (const [id, { item, series }] of filled) {
      // The unit of a metric may change.
      const key = JSON.stringify([id, item.unit]);
      const summary = this.#series.get(key) ?? new SeriesSummary(item, series, this.#query.interval);
      this.#series.set(key, summary);
      const clocked = { points: series.points, interval: findInterval(summary.item), offset: summary.clockOffset };
      summary.add(series.points, findPartialStarts(clocked, this.#partial));
    }
    this.#intervals.add(filled.map(([, { item, series }]) => ({ item, instants: series.points.instants })));
  }

  /** In canonical order. */
  get series(): SeriesSummary[] {
    const all = [...this.#series.values()];
    const items = all.map(({ item, series }) => ({ ...item, series: [series] }));
    const names = orderLabelNames(listLabelLists(items));
    const ranks = rankMetrics(this.#query.metrics, items);
    return all.sort(
      (a, b) => (ranks.get(a.item.metric) ?? 0) - (ranks.get(b.item.metric) ?? 0) || compareLabels(a.series, b.series, names),
    );
  }

  /** The number of intervals in the window, and of those without a point in any series; undefined if they cannot be counted. */
  get intervals(): Pick<CountedIntervals, "all" | "empty"> | undefined {
    const counted = this.#intervals.count();
    return counted && { all: counted.all, empty: counted.empty };
  }
}

/** Statistics of one series; keeps no points. */
export class SeriesSummary {
  readonly item: TimeSeries;
  readonly series: Series;
  /** The UTC offset of its network's time, in minutes. */
  readonly clockOffset: number;
  /** All points, including nulls. */
  points = 0;
  nulls = 0;
  /** Values that are text or booleans; not in `min`, `max` and `sum`. */
  others = 0;
  /** Points of intervals that are not complete; in no other figure. */
  incomplete = 0;
  /** Intervals without a point between the first and the last; undefined if the interval is unknown. */
  missing: number | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly first: number;
  last: number;
  /** Points whose value is a number; without any, `min` and `max` are infinite. */
  numbers = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  readonly #step: IntervalStepper | undefined;
  #sum = 0;
  /** The rounding error of `#sum` (Neumaier summation). */
  #lost = 0;
  /** Of a computed ratio: the sum of what its values were divided by, and of the values times that. */
  #divisors = 0;
  #products = 0;

  constructor(item: TimeSeries, series: Series, queryInterval: Interval | undefined) {
    this.item = { ...resolveInterval(item, queryInterval), series: [] };
    this.series = { ...series, points: NO_POINTS };
    this.clockOffset = findClockOffset(item);
    this.#step = createStepper(item, queryInterval);
    this.missing = this.#step && 0;
    this.first = series.points.instants[0] as number;
    this.last = this.first;
  }

  get sum(): number {
    return Number.isFinite(this.#sum) ? this.#sum + this.#lost : this.#sum;
  }

  /** Of a computed ratio, the ratio of the sums. */
  get mean(): number {
    return this.#divisors > 0 ? this.#products / this.#divisors : this.sum / this.numbers;
  }

  /** `incomplete`: the instants of intervals that are not complete. */
  add(points: Points, incomplete: readonly number[] = []): void {
    const { instants, divisors } = points;
    const partial = new Set(incomplete);
    const read = createNumberReader(points);
    for (let index = 0; index < instants.length; index++) {
      const instant = instants[index] as number;
      if (this.#step) this.missing = (this.missing ?? 0) + Math.max(0, Math.ceil(this.#step.count(this.last, instant)) - 1);
      this.last = instant;
      const value = read(index);
      if (partial.has(instant)) this.incomplete++;
      else if (value === undefined) this.others++;
      else if (Number.isNaN(value)) this.nulls++;
      else this.#addNumber(value, divisors?.[index] ?? 0);
    }
    this.points += instants.length;
  }

  #addNumber(value: number, divisor: number): void {
    this.#divisors += divisor;
    this.#products += value * divisor;
    const before = this.#sum;
    this.numbers++;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    this.#sum = before + value;
    this.#lost += Math.abs(before) >= Math.abs(value) ? before - this.#sum + value : value - this.#sum + before;
  }
}
