/** How many buckets of a window have a point. */
import { type BucketRule, findNetwork, INTERVALS, type Interval } from "../base/vocabulary.ts";
import { countBucketsBy } from "../plan/estimate.ts";
import type { Query } from "../query/query.ts";
import { bucketStartBy, shiftBuckets } from "../time/buckets.ts";
import { type LocalTime, MINUTE } from "../time/local-time.ts";
import { isStart, measureShift } from "./bucket-shifts.ts";
import { findOffsetMs } from "./network-offset.ts";
import { findInterval, type TimeSeries } from "./time-series.ts";

export interface CountedBuckets {
  /** Those that have ended by now, or have a point; of a window with an open end, up to the last point. */
  readonly all: number;
  /** Those without a point. */
  readonly empty: number;
}

/** Counts instants, in order, and learns from them where the service's buckets start. */
export class BucketCount {
  readonly #query: Query;
  readonly #now: number;
  #interval: Interval | undefined;
  /** Milliseconds by which network time is ahead of UTC. */
  #offset: number | undefined;
  #filled = 0;
  #first = Number.NaN;
  #last = Number.NEGATIVE_INFINITY;
  /** Of the instants between the first and the last, which may stand for partial buckets. */
  readonly #shifts = new Set<number>();

  constructor(query: Query, now: number) {
    this.#query = query;
    this.#now = now;
    this.#interval = query.interval;
    const minutes = findNetwork(query.network)?.offsetMinutes;
    this.#offset = minutes === undefined ? undefined : minutes * MINUTE;
  }

  /** Distinct instants, later than those before, and the TimeSeries that have them. */
  add(instants: Iterable<number>, items: readonly TimeSeries[]): void {
    const [item] = items;
    if (!item) return;
    this.#interval ??= findInterval(item);
    this.#offset ??= findOffsetMs(this.#query.network, [item]);
    for (const instant of instants) {
      const local = instant + (this.#offset ?? 0);
      if (this.#filled > 1) this.#learn(this.#last);
      if (this.#filled === 0) this.#first = local;
      this.#filled++;
      this.#last = local;
    }
  }

  /** Undefined where the window, its interval or the service's buckets are not known. */
  count(): CountedBuckets | undefined {
    const { start, end } = this.#query.window;
    const rule = this.#findRule();
    if (start === undefined || rule === undefined) return undefined;
    const ended = bucketStartBy(rule, this.#now + (this.#offset ?? 0)) - 1;
    const isOpen = end === undefined && this.#filled > 0;
    // A service may leave out the end of a window.
    const until = end !== undefined && bucketStartBy(rule, end) === end ? end - 1 : (end ?? ended);
    const all = countBucketsBy(rule, start, Math.max(isOpen ? this.#last : Math.min(until, ended), this.#last));
    return { all, empty: Math.max(0, all - this.#filled) };
  }

  #learn(local: LocalTime): void {
    const rule = this.#interval && INTERVALS[this.#interval].bucket;
    if (rule && this.#shifts.size < 2) this.#shifts.add(measureShift(rule, local));
  }

  #findRule(): BucketRule | undefined {
    if (this.#interval === undefined || this.#offset === undefined) return undefined;
    const rule = INTERVALS[this.#interval].bucket;
    // Their timestamps are names.
    if (this.#interval === "season" || this.#interval === "fy") return rule;
    const { start, end } = this.#query.window;
    if (this.#filled > 0 && this.#filled <= 2) {
      for (const local of new Set([this.#first, this.#last])) if (local !== start && local !== end) this.#learn(local);
    }
    const [shift = 0, other] = this.#shifts;
    return other === undefined && isStart(rule, shift) ? shiftBuckets(rule, shift) : undefined;
  }
}
