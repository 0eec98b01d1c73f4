import { setImmediate } from "node:timers/promises";
import { clipSpans, dayOfStep, includeDay } from "../model/clock.ts";
import type { DayStore } from "../model/system.ts";
import { type IntervalTable, hullOf, type Range, type Segment } from "./intervals.ts";
import { createDayValues, type DayValues, MEASURES, printedValue, type SandboxSeries } from "./series.ts";

/** The part of a series in the window. */
export interface Stretch extends Range {
  readonly series: SandboxSeries;
}

/** The value of an interval; null if the stretch has none. */
export type ReadPoint = (interval: number) => number | null;

interface Tally {
  readonly stretch: Stretch;
  readonly sums: Float64Array;
  readonly counts: Uint32Array;
}

/** Maximum time without yielding to the event loop, which the client may share with the sandbox. */
const MAX_BLOCK_MS = 15;

/** Undefined if the series has no points in the window. */
export function clipSeries(series: SandboxSeries, intervals: IntervalTable): Stretch | undefined {
  const ranges = clipSpans(series.spans, intervals.window).map((span) => intervals.rangeOf(span));
  return ranges.length === 0 ? undefined : { series, ...hullOf(ranges) };
}

/** Aggregates all stretches from their 5-minute values, day by day; stops early when aborted. */
export async function aggregate(
  stretches: readonly Stretch[],
  intervals: IntervalTable,
  { days, signal }: { days: DayStore; signal: AbortSignal },
): Promise<ReadPoint[]> {
  if (stretches.length === 0) return [];
  const tallies = stretches.map((stretch): Tally => {
    const length = stretch.to - stretch.from + 1;
    return { stretch, sums: new Float64Array(length), counts: new Uint32Array(length) };
  });
  const into = createDayValues();
  const { first, last } = intervals.spanOf(hullOf(stretches));
  let since = performance.now();
  for (let day = dayOfStep(first); day <= dayOfStep(last) && !signal.aborted; day++) {
    const segments = intervals.segmentsOfDay(day);
    for (const tally of tallies) {
      if (!includeDay(tally.stretch.series.spans, day)) continue;
      into.values.fill(0);
      into.present.fill(0);
      tally.stretch.series.fill(days.at(day), into);
      addDay(tally, into, segments);
    }
    if (performance.now() - since < MAX_BLOCK_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return tallies.map(openTally);
}

function addDay(tally: Tally, day: DayValues, segments: readonly Segment[]): void {
  const { sums, counts, stretch } = tally;
  for (const { from, to, interval } of segments) {
    if (interval < stretch.from || interval > stretch.to) continue;
    let sum = 0;
    let count = 0;
    for (let i = from; i < to; i++) {
      sum += day.values[i]!;
      count += day.present[i]!;
    }
    sums[interval - stretch.from]! += sum;
    counts[interval - stretch.from]! += count;
  }
}

function openTally({ stretch, sums, counts }: Tally): ReadPoint {
  const measure = MEASURES[stretch.series.metric];
  return (interval) => {
    const n = interval - stretch.from;
    return counts[n] ? printedValue(measure, sums[n]!, counts[n]) : null;
  };
}
