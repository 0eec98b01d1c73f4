import { isSummed, type Metric, METRICS } from "../../base/vocabulary.ts";
import { intervalsOf, type StepRange, STEPS_PER_DAY } from "../model/clock.ts";
import type { DayRow } from "../model/rows.ts";
import type { SystemDay } from "../model/system.ts";

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
export function printedValue(measure: Measure, sum: number, count: number): number {
  const divisor = measure.aggregate === "mean" ? count : 1;
  return Math.round((sum * measure.scale) / divisor) / 10_000;
}
