import { bucketStart, nextBucketStart } from "../../time/buckets.ts";
import { type LocalTime } from "../../time/local-time.ts";
import type { Interval } from "../../base/vocabulary.ts";
import { localOfStep, type Step, stepOfLocal, STEPS_PER_DAY } from "../model/clock.ts";

/** Intervals [from, to) of a day in one bucket. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly bucket: number;
}

/** The buckets of the steps `first` to `last`, numbered from 0; their timestamp is the start in network time. */
export class Buckets {
  readonly starts: readonly LocalTime[];
  readonly first: Step;
  readonly last: Step;
  readonly #offset: number;

  constructor(interval: Interval, window: { readonly first: Step; readonly last: Step }, offsetMinutes: number) {
    this.first = window.first;
    this.last = window.last;
    this.#offset = offsetMinutes;
    const starts: LocalTime[] = [];
    const end = localOfStep(window.last, offsetMinutes);
    for (let at = bucketStart(interval, localOfStep(window.first, offsetMinutes)); at <= end; at = nextBucketStart(interval, at))
      starts.push(at);
    this.starts = starts;
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
