import { DAY, type LocalTime, MINUTE } from "../../time/local-time.ts";
import { NETWORKS } from "../../base/vocabulary.ts";

/**
 * The 5-minute intervals since 1970 of a network's own clock. AU adds the intervals of NEM and WEM that have one number, as the public
 * service does: those of one wall clock, which are two hours apart. Days of the model are days of the network.
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
export function stepsOfDates(dates: { readonly from: string; readonly to?: string | undefined }): readonly [Step, Step] {
  const last = dates.to === undefined ? Number.POSITIVE_INFINITY : stepOfLocal(Date.parse(dates.to) + DAY) - 1;
  return [stepOfLocal(Date.parse(dates.from)), last];
}

/** The longitude whose solar noon is at 12:00 of a network's clock. */
export function meridianOf(network: keyof typeof NETWORKS): number {
  return NETWORKS[network].offsetMinutes / MINUTES_PER_DEGREE;
}
