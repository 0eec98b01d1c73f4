import { nextIntervalStart, intervalStart } from "../../time/calendar.ts";
import { type LocalTime, DAY, formatLocalTime, formatOffset } from "../../time/local-time.ts";
import type { Interval } from "../../base/intervals.ts";
import { intervalsOf, localOfStep, type StepRange, STEPS_PER_DAY, stepOfLocal, STEP_MS } from "../model/clock.ts";

/** Steps [from, to) of a day that are in one interval. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly interval: number;
}

/** The intervals `from` to `to`, both inclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The range from the first interval of all ranges to the last. */
export function hullOf(ranges: readonly Range[]): Range {
  return { from: Math.min(...ranges.map(({ from }) => from)), to: Math.max(...ranges.map(({ to }) => to)) };
}

/**
 * The intervals of a window, numbered from 0 in the order of their timestamps. The last season of a calendar year
 * consists of two periods, before and after the other three seasons.
 */
export class IntervalTable {
  /** Timestamps in network time, including those of empty intervals. */
  readonly timestamps: readonly LocalTime[];
  readonly window: StepRange;
  readonly #interval: Interval;

  constructor(interval: Interval, window: StepRange) {
    this.#interval = interval;
    this.window = window;
    const { earliest, latest } = this.#timestampsOf(window);
    const timestamps: LocalTime[] = [];
    for (let at = earliest; at <= latest; at = nextTimestamp(interval, at)) timestamps.push(at);
    this.timestamps = timestamps;
  }

  /** The range of intervals that overlap a span of the window. */
  rangeOf(span: StepRange): Range {
    const { earliest, latest } = this.#timestampsOf(span);
    return { from: this.#indexOf(earliest), to: this.#indexOf(latest) };
  }

  /**
   * The steps of the window that contain a range of intervals; all of its steps if timestamps are not the starts of
   * their intervals.
   */
  spanOf({ from, to }: Range): StepRange {
    if (this.#interval === "season" || this.#interval === "fy") return this.window;
    const { first, last } = this.window;
    const next = this.timestamps[to + 1];
    return {
      first: Math.max(first, stepOfLocal(this.timestamps[from]!)),
      last: next === undefined ? last : stepOfLocal(next) - 1,
    };
  }

  /** The part of the window on this day, split where another interval starts. */
  segmentsOfDay(day: number): Segment[] {
    const segments: Segment[] = [];
    const start = day * STEPS_PER_DAY;
    const within = intervalsOf(this.window, day);
    for (let { from } = within; from < within.to; from = segments.at(-1)!.to) {
      const local = localOfStep(start + from);
      const to = Math.min(within.to, stepOfLocal(this.#changeAfter(local)) - start);
      segments.push({ from, to, interval: this.#indexOf(timestampOf(this.#interval, local)) });
    }
    return segments;
  }

  #timestampsOf({ first, last }: StepRange): { readonly earliest: LocalTime; readonly latest: LocalTime } {
    const timestamps = [
      timestampOf(this.#interval, localOfStep(first)),
      timestampOf(this.#interval, localOfStep(last)),
    ];
    if (this.#interval === "season") {
      const end = localOfStep(last);
      for (let at = this.#changeAfter(localOfStep(first)); at <= end; at = this.#changeAfter(at))
        timestamps.push(timestampOf("season", at));
    }
    return { earliest: Math.min(...timestamps), latest: Math.max(...timestamps) };
  }

  /** The next time at which another interval may start; for seasons, the start of the next month. */
  #changeAfter(local: LocalTime): LocalTime {
    return nextIntervalStart(this.#interval === "season" ? "1M" : this.#interval, local);
  }

  #indexOf(timestamp: LocalTime): number {
    let low = 0;
    let high = this.timestamps.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.timestamps[middle]! <= timestamp) low = middle;
      else high = middle;
    }
    return low;
  }
}

/**
 * The timestamp of the interval that contains `local`: the start of the interval, except for financial years and
 * seasons. A financial year has 1 January of the year in which it ends. A season has 1 January (March to May), 1 April,
 * 1 July or 1 October of its calendar year; January, February and December of a year are one season, as on the public
 * service.
 */
export function timestampOf(interval: Interval, local: LocalTime): LocalTime {
  if (interval !== "season" && interval !== "fy") return intervalStart(interval, local);
  const year = new Date(local).getUTCFullYear();
  const month = new Date(local).getUTCMonth();
  if (interval === "fy") return Date.UTC(month < 6 ? year : year + 1, 0, 1);
  const sinceMarch = (month + 10) % 12;
  return Date.UTC(year, sinceMarch - (sinceMarch % 3), 1);
}

function nextTimestamp(interval: Interval, timestamp: LocalTime): LocalTime {
  return nextIntervalStart(interval === "season" ? "3M" : interval === "fy" ? "1y" : interval, timestamp);
}

/**
 * Creates a `formatTimestamp` for interval starts; ten times as fast for ascending times, since it formats each day
 * once.
 */
export function createTimestampFor(offsetMinutes: number): (local: LocalTime) => string {
  const times = Array.from(
    { length: STEPS_PER_DAY },
    (_, i) => formatLocalTime(i * STEP_MS).slice(10) + formatOffset(offsetMinutes),
  );
  let day = Number.NaN;
  let date = "";
  return (local) => {
    const start = Math.floor(local / DAY) * DAY;
    if (start !== day) date = formatLocalTime(start).slice(0, 10);
    day = start;
    return date + times[(local - start) / STEP_MS]!;
  };
}
