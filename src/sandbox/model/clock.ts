import { DAY, type LocalTime, MINUTE } from "../../time/local-time.ts";
import { NETWORKS } from "../../base/vocabulary.ts";

/**
 * One clock for all networks: a `Step` is the number of 5-minute intervals since 1970-01-01T00:00+10:00, so that AU sums
 * NEM and WEM at the same instant although their time zones differ. Days of the model are days of this clock.
 */
export type Step = number;

/** Consecutive intervals, both ends inclusive. */
export interface Span {
  readonly first: Step;
  readonly last: Step;
}

export const STEP_MS = 5 * MINUTE;
export const STEPS_PER_DAY = DAY / STEP_MS;
const MODEL_OFFSET = NETWORKS.NEM.offsetMinutes * MINUTE;

/** The interval that contains the instant `utc` (milliseconds since 1970 UTC). */
export function stepOfInstant(utc: number): Step {
  return Math.floor((utc + MODEL_OFFSET) / STEP_MS);
}

/** The interval that contains network time `local`. */
export function stepOfLocal(local: LocalTime, offsetMinutes: number): Step {
  return stepOfInstant(local - offsetMinutes * MINUTE);
}

export function localOfStep(step: Step, offsetMinutes: number): LocalTime {
  return step * STEP_MS - MODEL_OFFSET + offsetMinutes * MINUTE;
}

export function dayOfStep(step: Step): number {
  return Math.floor(step / STEPS_PER_DAY);
}

/** First and last interval of the days `from` and `to` (`2017-03-31`) of network time, both inclusive. */
export function stepsOfDates(
  dates: { readonly from: string; readonly to?: string | undefined },
  offsetMinutes: number,
): readonly [Step, Step] {
  const first = stepOfLocal(Date.parse(dates.from), offsetMinutes);
  const last = dates.to === undefined ? Number.POSITIVE_INFINITY : stepOfLocal(Date.parse(dates.to) + DAY, offsetMinutes) - 1;
  return [first, last];
}
