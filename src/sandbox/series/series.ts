import type { Metric } from "../../base/vocabulary.ts";
import { type StepRange, STEPS_PER_DAY } from "../model/clock.ts";
import type { DayRow } from "../model/rows.ts";
import type { SystemDay } from "../model/system.ts";

/** A day's values of one series; where `present` is 0, the value is null. */
export interface DayValues {
  readonly values: DayRow;
  readonly present: Uint8Array;
}

/** A series: its labels, lifetime, and values by day. */
export interface SandboxSeries {
  readonly metric: Metric;
  /** The part of the name after the metric: `NSW1|coal_black`, `total`. Series of one metric and label come as one result. */
  readonly label: string;
  readonly columns: Readonly<Record<string, string | boolean>>;
  /** When there are data. */
  readonly spans: readonly StepRange[];
  /** Adds the day's integers (see measures.ts) to zeroed values. */
  fill(day: SystemDay, into: DayValues): void;
}

/** The parts of spans that are in a window (which may be empty). */
export function clipSpans(spans: readonly StepRange[], window: StepRange): StepRange[] {
  const clipped = spans.map(({ first, last }) => ({ first: Math.max(window.first, first), last: Math.min(window.last, last) }));
  return clipped.filter(({ first, last }) => first <= last);
}

/** The intervals [from, to) of a day that are in a span. */
export function intervalsOf({ first, last }: StepRange, day: number): { readonly from: number; readonly to: number } {
  const start = day * STEPS_PER_DAY;
  return { from: Math.max(0, first - start), to: Math.max(0, Math.min(STEPS_PER_DAY, last + 1 - start)) };
}
