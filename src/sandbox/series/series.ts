import { setImmediate } from "node:timers/promises";
import { clipSpans, dayOfStep, includeDay, intervalsOf, type StepRange, STEPS_PER_DAY } from "../model/clock.ts";
import type { DayStore, SystemDay } from "../model/system.ts";
import { type IntervalTable, hullOf, type Range, type Segment } from "./intervals.ts";
import { isSummed, type Metric, METRICS } from "../../base/vocabulary.ts";
import type { DayRow } from "../model/rows.ts";

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
export async function aggregateStretches(
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

/** A day's values of one series; where `present` is 0, the value is null. */
export interface DayValues {
  readonly values: DayRow;
  readonly present: Uint8Array;
}

export function createDayValues(): DayValues {
  return { values: new Float64Array(STEPS_PER_DAY), present: new Uint8Array(STEPS_PER_DAY) };
}

/** Removes a day's values outside of spans. */
export function keepOnly({ values, present }: DayValues, spans: readonly StepRange[], day: number): void {
  const kept = spans.map((span) => intervalsOf(span, day));
  for (let i = 0; i < values.length; i++) {
    if (kept.some(({ from, to }) => i >= from && i < to)) continue;
    values[i] = 0;
    present[i] = 0;
  }
}

/** A series: its labels, lifetime, and values by day. */
export interface SandboxSeries {
  readonly metric: Metric;
  /**
   * The part of the name after the metric: `NSW1|coal_black`, `total`. Series with the same metric and label form one
   * result.
   */
  readonly label: string;
  readonly columns: Readonly<Record<string, string | boolean>>;
  /** Periods with data. */
  readonly spans: readonly StepRange[];
  /** Adds the day's integers (see Measure) to zeroed values. */
  fill(day: SystemDay, into: DayValues): void;
}

/** How the 5-minute integers of a metric are aggregated into the value of an interval. */
interface Measure {
  /** `mean`: the mean of the 5-minute values that are not null. */
  readonly aggregate: "sum" | "mean";
  /** An integer times this is the printed value in units of 0.0001. */
  readonly scale: number;
}

/**
 * `Measure.scale` by unit. Integers are cents for $, 0.0001 MWh in five minutes for MWh and MW, else 0.0001 of the
 * unit.
 */
const SCALES: Readonly<Record<string, number>> = { $: 100, "$/MWh": 100, MW: 12 };

export const MEASURES = Object.fromEntries(
  Object.entries(METRICS).map(([metric, { unit }]): [string, Measure] => {
    const aggregate = isSummed(metric, unit) ? "sum" : "mean";
    return [metric, { aggregate, scale: SCALES[unit] ?? 1 }];
  }),
) as Readonly<Record<Metric, Measure>>;

/** The value of an interval, to 4 decimals, from the number of its 5-minute values and their sum. */
function printedValue(measure: Measure, sum: number, count: number): number {
  const divisor = measure.aggregate === "mean" ? count : 1;
  return Math.round((sum * measure.scale) / divisor) / 10_000;
}
