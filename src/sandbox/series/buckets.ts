import { bucketStart, nextBucketStart } from "../../time/buckets.ts";
import { type LocalTime } from "../../time/local-time.ts";
import type { Interval } from "../../base/vocabulary.ts";
import { localOfStep, type Span, type Step, stepOfLocal, STEPS_PER_DAY } from "../model/clock.ts";

/** Intervals [from, to) of a day in one bucket. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly bucket: number;
}

/** The buckets of the steps `first` to `last`, numbered from 0. */
export class Buckets {
  /** In network time. */
  readonly starts: readonly LocalTime[];
  /** The timestamps: the starts, but of a financial year 1 January of the year in which it ends (in-practice.md, "Windows"). */
  readonly stamps: readonly LocalTime[];
  readonly first: Step;
  readonly last: Step;
  readonly #offset: number;

  constructor(interval: Interval, window: Span, offsetMinutes: number) {
    this.first = window.first;
    this.last = window.last;
    this.#offset = offsetMinutes;
    const starts: LocalTime[] = [];
    const end = localOfStep(window.last, offsetMinutes);
    for (let at = bucketStart(interval, localOfStep(window.first, offsetMinutes)); at <= end; at = nextBucketStart(interval, at))
      starts.push(at);
    this.starts = starts;
    this.stamps = interval === "fy" ? starts.map((start) => Date.UTC(new Date(start).getUTCFullYear() + 1, 0, 1)) : starts;
  }

  /** The number of the bucket that contains a step of the window. */
  indexOf(step: Step): number {
    const local = localOfStep(step, this.#offset);
    let low = 0;
    let high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.starts[middle]! <= local) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The steps of the buckets `from` to `to` in the window. */
  spanOf(from: number, to: number): Span {
    const next = this.starts[to + 1];
    return {
      first: Math.max(this.first, stepOfLocal(this.starts[from]!, this.#offset)),
      last: next === undefined ? this.last : stepOfLocal(next, this.#offset) - 1,
    };
  }

  /** The day's part of the window, split at bucket starts. */
  segmentsOfDay(day: number): Segment[] {
    const start = day * STEPS_PER_DAY;
    const end = Math.min(STEPS_PER_DAY, this.last + 1 - start);
    const segments: Segment[] = [];
    let from = Math.max(0, this.first - start);
    for (let bucket = this.indexOf(start + from); from < end; bucket++) {
      const next = this.starts[bucket + 1];
      const to = next === undefined ? end : Math.min(end, stepOfLocal(next, this.#offset) - start);
      segments.push({ from, to, bucket });
      from = to;
    }
    return segments;
  }
}
