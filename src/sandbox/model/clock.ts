import { DAY, type LocalTime, MINUTE } from "../../time/local-time.ts";
import { NETWORKS } from "../../base/vocabulary.ts";

/**
 * The number of a 5-minute interval, counted from 1970 on the network's own clock. AU adds intervals of NEM and WEM
 * with the same number, as the public service does: they have the same wall-clock time, but are two hours apart. Days
 * are days of the network.
 */
export type Step = number;

/** Consecutive intervals, both ends inclusive. */
export interface StepRange {
  readonly first: Step;
  readonly last: Step;
}

export const STEP_MS = 5 * MINUTE;
export const STEPS_PER_DAY = DAY / STEP_MS;
const MINUTES_PER_DEGREE = 4;

/** The interval that contains network time `local`. */
export function stepOfLocal(local: LocalTime): Step {
  return Math.floor(local / STEP_MS);
}

/** The interval of a network that contains the instant `utc` (milliseconds since 1970 UTC). */
export function stepOfInstant(utc: number, network: keyof typeof NETWORKS): Step {
  return stepOfLocal(utc + NETWORKS[network].offsetMinutes * MINUTE);
}

export function localOfStep(step: Step): LocalTime {
  return step * STEP_MS;
}

export function dayOfStep(step: Step): number {
  return Math.floor(step / STEPS_PER_DAY);
}

/** First and last interval of the days `from` and `to` (`2017-03-31`) of network time, both inclusive. */
export function stepsOfDates(dates: {
  readonly from: string;
  readonly to?: string | undefined;
}): readonly [Step, Step] {
  const last = dates.to === undefined ? Number.POSITIVE_INFINITY : stepOfLocal(Date.parse(dates.to) + DAY) - 1;
  return [stepOfLocal(Date.parse(dates.from)), last];
}

/** The parts of spans that are in a window, which may be empty. */
export function clipSpans(spans: readonly StepRange[], window: StepRange): StepRange[] {
  const clipped = spans.map(({ first, last }) => ({
    first: Math.max(window.first, first),
    last: Math.min(window.last, last),
  }));
  return clipped.filter(({ first, last }) => first <= last);
}

/** The intervals [from, to) of a day that are in a span. */
export function intervalsOf({ first, last }: StepRange, day: number): { readonly from: number; readonly to: number } {
  const start = day * STEPS_PER_DAY;
  return { from: Math.max(0, first - start), to: Math.max(0, Math.min(STEPS_PER_DAY, last + 1 - start)) };
}

/** True if a span has an interval of the day. */
export function includeDay(spans: readonly StepRange[], day: number): boolean {
  return spans.some(({ first, last }) => first < (day + 1) * STEPS_PER_DAY && last >= day * STEPS_PER_DAY);
}

/** The longitude whose solar noon is at 12:00 of a network's clock. */
export function meridianOf(network: keyof typeof NETWORKS): number {
  return NETWORKS[network].offsetMinutes / MINUTES_PER_DEGREE;
}
