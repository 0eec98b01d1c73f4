/** What a result holds, series by series: figures that are kept while the points pass. */
import type { Interval } from "../base/vocabulary.ts";
import type { Query } from "../query/query.ts";
import { BucketCount, type CountedBuckets } from "./buckets/count.ts";
import { createStepper, type BucketStepper } from "./buckets/stepper.ts";
import { keySeries } from "./keyed.ts";
import { compareLabels, listLabelLists, orderMetrics, orderLabelNames, rankMetrics } from "./order.ts";
import { NO_POINTS, type Points } from "./points.ts";
import { createNumberReader } from "./read-number.ts";
import { findClockOffset, resolveInterval, type Series, type TimeSeries } from "./time-series.ts";

/** The figures of one series; its points are not kept. */
export interface SeriesSummary {
  readonly item: TimeSeries;
  readonly series: Series;
  /** The UTC offset of its clock, in minutes. */
  readonly clockOffset: number;
  /** Nulls among them. */
  points: number;
  nulls: number;
  /** Values that are text or booleans: in no figure. */
  others: number;
  /** Buckets without a point between the first and the last; undefined where the interval is unknown. */
  missing: number | undefined;
  /** Milliseconds since 1970 UTC. */
  first: number;
  last: number;
  /** Points whose value is a number; `min` and `max` are infinite where there is none. */
  numbers: number;
  min: number;
  max: number;
  sum: number;
}

interface Entry extends SeriesSummary {
  readonly step: BucketStepper | undefined;
  /** What the sum has lost to rounding (Neumaier). */
  lost: number;
}

/** Takes series in chunks, each later than the one before, and holds no points. */
export class Summary {
  readonly #query: Query;
  readonly #entries = new Map<string, Entry>();
  readonly #buckets: BucketCount;

  /** `now`: milliseconds since 1970 UTC. */
  constructor(query: Query, now: number) {
    this.#query = query;
    this.#buckets = new BucketCount(query, now);
  }

  add(timeSeries: readonly TimeSeries[]): void {
    const filled = [...keySeries(timeSeries)].filter(([, { series }]) => series.points.instants.length > 0);
    for (const [id, { item, series }] of filled) {
      // The unit of a metric may change.
      const key = JSON.stringify([id, item.unit]);
      const entry = this.#entries.get(key) ?? openEntry(item, series, this.#query.interval);
      this.#entries.set(key, entry);
      addPoints(entry, series.points);
    }
    this.#buckets.add(
      filled.map(([, { series }]) => series.points.instants),
      filled.map(([, { item }]) => item),
    );
  }

  /** In canonical order. */
  get series(): SeriesSummary[] {
    const all = [...this.#entries.values()];
    const items = all.map(({ item, series }) => ({ ...item, series: [series] }));
    const names = orderLabelNames(listLabelLists(items));
    const ranks = rankMetrics(
      orderMetrics(
        this.#query.metrics,
        items.map(({ metric }) => metric),
      ),
    );
    return all
      .map((entry) => ({ ...entry, sum: Number.isFinite(entry.sum) ? entry.sum + entry.lost : entry.sum }))
      .sort((a, b) => (ranks.get(a.item.metric) ?? 0) - (ranks.get(b.item.metric) ?? 0) || compareLabels(a.series, b.series, names));
  }

  /** The buckets of the window, and how many of them no series has a point for; undefined where they cannot be counted. */
  get buckets(): CountedBuckets | undefined {
    return this.#buckets.count();
  }
}

function openEntry(item: TimeSeries, series: Series, asked: Interval | undefined): Entry {
  const step = createStepper(item, asked);
  const first = series.points.instants[0] as number;
  return {
    item: { ...resolveInterval(item, asked), series: [] },
    series: { ...series, points: NO_POINTS },
    clockOffset: findClockOffset(item),
    step,
    points: 0,
    nulls: 0,
    others: 0,
    missing: step && 0,
    first,
    last: first,
    numbers: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    sum: 0,
    lost: 0,
  };
}

function addPoints(entry: Entry, points: Points): void {
  const { instants } = points;
  const read = createNumberReader(points);
  for (let index = 0; index < instants.length; index++) {
    const instant = instants[index] as number;
    if (entry.step) entry.missing = (entry.missing ?? 0) + entry.step.countBetween(entry.last, instant);
    entry.last = instant;
    const value = read(index);
    if (value === undefined) entry.others++;
    else if (Number.isNaN(value)) entry.nulls++;
    else addNumber(entry, value);
  }
  entry.points += instants.length;
}

function addNumber(entry: Entry, value: number): void {
  const { sum } = entry;
  entry.numbers++;
  if (value < entry.min) entry.min = value;
  if (value > entry.max) entry.max = value;
  entry.sum = sum + value;
  entry.lost += Math.abs(sum) >= Math.abs(value) ? sum - entry.sum + value : value - entry.sum + sum;
}
