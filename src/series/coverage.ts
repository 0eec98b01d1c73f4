/** Which buckets of a window have a value, and how new the newest is. A null is no value, nor is a text such as "n/a". */
import type { Interval } from "../base/vocabulary.ts";
import type { Query } from "../query/query.ts";
import { MINUTE } from "../time/local-time.ts";
import { BucketCount, type BucketSpan, type CountedBuckets } from "./buckets/count.ts";
import { findIntervalEnd } from "./layout/interval-end.ts";
import type { Instants, Points } from "./points.ts";
import { parseNumber } from "./read-number.ts";
import { ScannedPoints } from "./scanned-points.ts";
import { findClockOffset, findInterval, findNetworkOffset, type TimeSeries } from "./time-series.ts";

export interface EmptyBuckets extends CountedBuckets {
  /** In order of time; where there are many, the first ones. */
  readonly spans: readonly BucketSpan[];
  readonly interval: Interval | undefined;
}

export interface Newest {
  /** The end of its bucket, in milliseconds since 1970 UTC; its timestamp where the end is unknown. */
  readonly end: number;
  /** The UTC offset of its clock, in minutes. */
  readonly clockOffset: number;
}

/** Takes series in chunks, each later than the one before, and holds no points. */
export class Coverage {
  readonly #query: Query;
  readonly #buckets: BucketCount;
  #newest: Newest | undefined;

  /** `now`: milliseconds since 1970 UTC. */
  constructor(query: Query, now: number) {
    this.#query = query;
    // The service leaves out the newest five minutes (in-practice.md, Windows).
    this.#buckets = new BucketCount(query, now, 5 * MINUTE);
  }

  add(timeSeries: readonly TimeSeries[]): void {
    const filled = timeSeries.flatMap((item) =>
      item.series.map(({ points }) => ({ item, instants: listFilled(points) })).filter(({ instants }) => instants.length > 0),
    );
    this.#buckets.add(
      filled.map(({ instants }) => instants),
      filled.map(({ item }) => item),
    );
    for (const { item, instants } of filled) this.#observe(item, instants.at(-1) as number);
  }

  /** Undefined without a value. */
  get newest(): Newest | undefined {
    return this.#newest;
  }

  /** The buckets that have ended and have no value; undefined where they cannot be told. */
  findEmpty(): EmptyBuckets | undefined {
    const count = this.#buckets.count();
    return count && { ...count, spans: this.#buckets.listEmpty(), interval: this.#buckets.interval };
  }

  #observe(item: TimeSeries, instant: number): void {
    const end = findIntervalEnd(this.#query.interval ?? findInterval(item), instant, findNetworkOffset(item)) ?? instant;
    if (this.#newest === undefined || end > this.#newest.end) this.#newest = { end, clockOffset: findClockOffset(item) };
  }
}

/** The instants of the points that have a number. */
function listFilled(points: Points): Instants {
  if (points instanceof ScannedPoints) {
    const { lengths } = points.columns;
    return lengths.includes(0) ? points.instants.filter((_, index) => lengths[index] !== 0) : points.instants;
  }
  return Array.from(points.instants).filter((_, index) => !Number.isNaN(parseNumber(points.values[index] ?? null) ?? Number.NaN));
}
