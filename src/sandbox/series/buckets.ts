import { nextBucketStart } from "../../time/buckets.ts";
import type { LocalTime } from "../../time/local-time.ts";
import type { Interval } from "../../base/vocabulary.ts";
import { localOfStep, type StepRange, STEPS_PER_DAY, stepOfLocal } from "../model/clock.ts";
import { intervalsOf } from "./series.ts";
import { nextStamp, stampOf } from "./stamps.ts";

/** Intervals [from, to) of a day in one bucket. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly bucket: number;
}

/** The buckets `from` to `to`, both inclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** From the first bucket of any to the last of any. */
export function hullOf(ranges: readonly Range[]): Range {
  return { from: Math.min(...ranges.map(({ from }) => from)), to: Math.max(...ranges.map(({ to }) => to)) };
}

/** The buckets of a window, numbered from 0 in the order of their stamps. A year's last season has two parts in time, around the other three. */
export class BucketTable {
  /** The timestamps, in network time, with those of buckets that hold nothing. */
  readonly stamps: readonly LocalTime[];
  readonly window: StepRange;
  readonly #interval: Interval;

  constructor(interval: Interval, window: StepRange) {
    this.#interval = interval;
    this.window = window;
    const { earliest, latest } = this.#stampsOf(window);
    const stamps: LocalTime[] = [];
    for (let at = earliest; at <= latest; at = nextStamp(interval, at)) stamps.push(at);
    this.stamps = stamps;
  }

  /** The buckets from the first to the last that a span of the window is in. */
  rangeOf(span: StepRange): Range {
    const { earliest, latest } = this.#stampsOf(span);
    return { from: this.#indexOf(earliest), to: this.#indexOf(latest) };
  }

  /** Steps of the window that hold all of some buckets: the whole window where stamps are not the starts of their buckets. */
  spanOf({ from, to }: Range): StepRange {
    if (this.#interval === "season" || this.#interval === "fy") return this.window;
    const { first, last } = this.window;
    const next = this.stamps[to + 1];
    return {
      first: Math.max(first, stepOfLocal(this.stamps[from]!)),
      last: next === undefined ? last : stepOfLocal(next) - 1,
    };
  }

  /** The day's part of the window, split where another bucket starts. */
  segmentsOfDay(day: number): Segment[] {
    const segments: Segment[] = [];
    const start = day * STEPS_PER_DAY;
    const within = intervalsOf(this.window, day);
    for (let { from } = within; from < within.to; from = segments.at(-1)!.to) {
      const local = localOfStep(start + from);
      const to = Math.min(within.to, stepOfLocal(this.#changeAfter(local)) - start);
      segments.push({ from, to, bucket: this.#indexOf(stampOf(this.#interval, local)) });
    }
    return segments;
  }

  #stampsOf({ first, last }: StepRange): { readonly earliest: LocalTime; readonly latest: LocalTime } {
    const stamps = [stampOf(this.#interval, localOfStep(first)), stampOf(this.#interval, localOfStep(last))];
    if (this.#interval === "season") {
      const end = localOfStep(last);
      for (let at = this.#changeAfter(localOfStep(first)); at <= end; at = this.#changeAfter(at)) stamps.push(stampOf("season", at));
    }
    return { earliest: Math.min(...stamps), latest: Math.max(...stamps) };
  }

  /** When another bucket may start: seasons change with a month. */
  #changeAfter(local: LocalTime): LocalTime {
    return nextBucketStart(this.#interval === "season" ? "1M" : this.#interval, local);
  }

  #indexOf(stamp: LocalTime): number {
    let low = 0;
    let high = this.stamps.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.stamps[middle]! <= stamp) low = middle;
      else high = middle;
    }
    return low;
  }
}
