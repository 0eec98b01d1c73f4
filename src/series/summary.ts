/** Statistics of a result, per series, updated as points arrive. */
import type { Interval } from "../base/intervals.ts";
import type { Query } from "../query/query.ts";
import { IntervalCount, type CountedIntervals } from "./intervals/count.ts";
import { type IntervalStepper, createStepper } from "./intervals/grid.ts";
import { compareLabels, listLabelLists, orderLabelNames, rankMetrics } from "./order.ts";
import { findPartialStarts } from "./partial-starts.ts";
import { Means } from "./means.ts";
import { findQuantile, NumberList } from "./number-list.ts";
import { NO_POINTS, type Points } from "./points.ts";
import { createNumberReader, timestampAt } from "./point-operations.ts";
import {
  findClockOffset,
  findInterval,
  keySeries,
  resolveInterval,
  type Series,
  type TimeSeries,
} from "./time-series.ts";
import { isBeyond, type ValueLimits } from "./analyses/pick.ts";

interface SummaryOptions {
  /** The starts of intervals that are not complete, in network time. */
  readonly partial?: readonly number[];
  /** Values beyond are counted. */
  readonly limits?: ValueLimits | undefined;
}

/** Accepts series in chunks, each later than the one before; keeps the numbers, in 8 bytes each. */
export class Summary {
  readonly limits: ValueLimits | undefined;
  readonly #query: Query;
  readonly #series = new Map<string, SeriesSummary>();
  readonly #intervals: IntervalCount;
  readonly #partial: readonly number[];

  /** `now`: milliseconds since 1970 UTC. */
  constructor(query: Query, now: number, { partial = [], limits }: SummaryOptions = {}) {
    this.#query = query;
    this.limits = limits;
    this.#partial = partial;
    this.#intervals = new IntervalCount(query, now);
  }

  add(timeSeries: readonly TimeSeries[]): void {
    const filled = [...keySeries(timeSeries)].filter(([, { series }]) => series.points.instants.length > 0);
    for (const [id, { item, series }] of filled) {
      // The unit of a metric may change.
      const key = JSON.stringify([id, item.unit]);
      const summary =
        this.#series.get(key) ??
        new SeriesSummary(item, series, { interval: this.#query.interval, limits: this.limits });
      this.#series.set(key, summary);
      const clocked = { points: series.points, interval: findInterval(summary.item), offset: summary.clockOffset };
      summary.add(series.points, findPartialStarts(clocked, this.#partial));
    }
    this.#intervals.add(filled.map(([, { item, series }]) => ({ item, instants: series.points.instants })));
  }

  /** What is made of the values of other intervals and series. */
  get transforms(): Query["transforms"] {
    return this.#query.transforms;
  }

  /** In canonical order. */
  get series(): SeriesSummary[] {
    const all = [...this.#series.values()];
    const items = all.map(({ item, series }) => ({ ...item, series: [series] }));
    const names = orderLabelNames(listLabelLists(items));
    const ranks = rankMetrics(this.#query.metrics, items);
    return all.sort(
      (a, b) =>
        (ranks.get(a.item.metric) ?? 0) - (ranks.get(b.item.metric) ?? 0) || compareLabels(a.series, b.series, names),
    );
  }

  /**
   * The number of intervals in the window, and of those without a point in any series; undefined if they cannot be
   * counted.
   */
  get intervals(): Pick<CountedIntervals, "all" | "empty"> | undefined {
    const counted = this.#intervals.count();
    return counted && { all: counted.all, empty: counted.empty };
  }
}

/** When a value was, as an instant and as the service wrote it. */
export interface Moment {
  readonly instant: number;
  readonly timestamp: string;
}

/** Statistics of one series. */
export class SeriesSummary {
  readonly item: TimeSeries;
  readonly series: Series;
  /** The UTC offset of its network's time, in minutes. */
  readonly clockOffset: number;
  /** All points, including nulls. */
  points = 0;
  nulls = 0;
  /** Values that are text or booleans, or beyond the largest double; in no statistics. */
  others = 0;
  /** Points of intervals that are not complete; in no other figure. */
  incomplete = 0;
  /** Intervals without a point between the first and the last; undefined if the interval is unknown. */
  missing: number | undefined;
  readonly first: Moment;
  last: Moment;
  /** Values beyond the limits; their time, in milliseconds, is undefined if the interval is unknown. */
  beyond = 0;
  beyondMs: number | undefined;
  /** The earliest of equal ones; undefined without a number. */
  least: Extreme | undefined;
  most: Extreme | undefined;
  readonly #limits: ValueLimits | undefined;
  readonly #step: IntervalStepper | undefined;
  readonly #means = new Means();
  readonly #values = new NumberList();
  #sorted: Float64Array | undefined;

  constructor(
    item: TimeSeries,
    series: Series,
    { interval, limits }: { readonly interval: Interval | undefined; readonly limits: ValueLimits | undefined },
  ) {
    this.item = { ...resolveInterval(item, interval), series: [] };
    this.series = { ...series, points: NO_POINTS };
    this.clockOffset = findClockOffset(item);
    this.#limits = limits?.metric === item.metric ? limits : undefined;
    this.#step = createStepper(item, interval);
    this.missing = this.#step && 0;
    this.beyondMs = this.#step && 0;
    this.first = momentAt(series.points, 0);
    this.last = this.first;
  }

  /** True if values beyond the limits are counted. */
  get hasLimits(): boolean {
    return this.#limits !== undefined;
  }

  /** Points whose value is a number. */
  get numbers(): number {
    return this.#means.count();
  }

  get sum(): number {
    return this.#means.sum();
  }

  /** Of a computed ratio, the ratio of the sums. */
  get mean(): number {
    return this.#means.mean();
  }

  /** The value below which a share of the numbers lies, from 0 to 1; NaN without numbers. */
  quantile(share: number): number {
    this.#sorted ??= this.#values.take();
    return findQuantile(this.#sorted, share);
  }

  /** `incomplete`: the instants of intervals that are not complete. */
  add(points: Points, incomplete: readonly number[] = []): void {
    const { instants } = points;
    const partial = new Set(incomplete);
    const read = createNumberReader(points);
    let before = this.last.instant;
    for (let index = 0; index < instants.length; index++) {
      const instant = instants[index] as number;
      if (this.#step)
        this.missing = (this.missing ?? 0) + Math.max(0, Math.ceil(this.#step.count(before, instant)) - 1);
      before = instant;
      const value = read(index);
      if (partial.has(instant)) this.incomplete++;
      else if (value === undefined || Math.abs(value) === Number.POSITIVE_INFINITY) this.others++;
      else this.#addNumber(value, points, index);
    }
    this.points += instants.length;
    this.last = momentAt(points, instants.length - 1);
  }

  /** NaN for a null. */
  #addNumber(value: number, points: Points, index: number): void {
    this.#means.add(0, value);
    this.#means.addParts(0, points.ratio, index);
    if (Number.isNaN(value)) return void this.nulls++;
    this.#values.add(value);
    if (!this.least || value < this.least.value) this.least = { ...momentAt(points, index), value };
    if (!this.most || value > this.most.value) this.most = { ...momentAt(points, index), value };
    if (!this.#limits || !isBeyond(value, this.#limits)) return;
    this.beyond++;
    const instant = points.instants[index] as number;
    if (this.#step) this.beyondMs = (this.beyondMs ?? 0) + this.#step.next(instant) - instant;
  }
}

interface Extreme extends Moment {
  readonly value: number;
}

function momentAt(points: Points, index: number): Moment {
  return { instant: points.instants[index] as number, timestamp: timestampAt(points, index) };
}
