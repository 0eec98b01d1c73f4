/**
 * Forecasts of rooftop solar: half-hourly, issued every half hour for the next eight days, with errors that grow with
 * the time between issue and value. Each past half hour has the newest forecast that was issued for it: the one issued
 * at its start.
 */
import type { Region } from "../fleet/regions.ts";
import { type Step, stepOfInstant, stepOfLocal, type StepRange, STEPS_PER_DAY } from "../model/clock.ts";
import { noiseAt, seedOf } from "../model/noise.ts";
import type { DayRow } from "../model/rows.ts";

const STEPS_PER_RUN = 6;
const HORIZON = 8 * STEPS_PER_DAY;
const FIRST_RUN = stepOfLocal(Date.parse("2025-01-01"));
/** Before this, the public service does not say which run a forecast is of. */
const FIRST_NAMED_RUN = stepOfLocal(Date.parse("2026-10-01"));

/** The newest run at an instant, by its first step. */
export function findNewestRun(now: number): Step {
  return startOfHalfHour(stepOfInstant(now, "NEM"));
}

/** The steps with a forecast. */
export function forecastSpan(newest: Step): StepRange {
  return { first: FIRST_RUN, last: newest + HORIZON - 1 };
}

/** The run of the newest of several steps; undefined if the service does not say. */
export function runOf(step: Step, newest: Step): Step | undefined {
  const run = Math.min(startOfHalfHour(step), newest);
  return run < FIRST_NAMED_RUN ? undefined : run;
}

/** A day's forecast of a region, on the grid of the model. `rooftop`: what will be. */
export function forecastRooftop(
  { code }: Region,
  rooftop: DayRow,
  { day, newest }: { day: number; newest: Step },
): DayRow {
  const row = new Float64Array(STEPS_PER_DAY);
  for (let from = 0; from < row.length; from += STEPS_PER_RUN) {
    const mean = rooftop.subarray(from, from + STEPS_PER_RUN).reduce((sum, value) => sum + value, 0) / STEPS_PER_RUN;
    const step = day * STEPS_PER_DAY + from;
    const value = Math.round(mean * Math.max(0, 1 + errorOf(seedOf(code), step, Math.min(step, newest))));
    row.fill(value, from, from + STEPS_PER_RUN);
  }
  return row;
}

/** The error as a share of the value: up to 2 % at first, 17 % after a day, 29 % after eight days. */
function errorOf(seed: number, step: Step, run: Step): number {
  const [at, issued] = [step / STEPS_PER_RUN, run / STEPS_PER_RUN];
  const ahead = at - issued;
  const largest = 0.02 + (0.3 * ahead) / (ahead + 48);
  return largest * (0.6 * noiseAt(seed + 20, at + issued, 40) + 0.4 * noiseAt(seed + 21, at - 3 * issued, 60));
}

function startOfHalfHour(step: Step): Step {
  return Math.floor(step / STEPS_PER_RUN) * STEPS_PER_RUN;
}
