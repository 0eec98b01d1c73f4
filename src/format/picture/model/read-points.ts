/** The lines of a picture: gaps, and lines with common times. */
import { DAY, HOUR } from "../../../time/local-time.ts";
import { mean as meanOf, median } from "d3-array";
import type { FuelSource } from "../../../series/fuels.ts";
import { haveSameTimes, type NumberLine } from "../../../series/number-line.ts";
import { createStepper } from "../../../series/intervals/grid.ts";

/** Returns the end of the interval of an instant. */
export type FindEnd = (instant: number) => number;

/**
 * Steps by the interval from the timestamp, which may be anywhere in a season or year; without one, by the usual step
 * between points. `isOfYear`: of a profile, whose years begin at 0, and most of them have no 29 February.
 */
export function createFindEnd({ item }: FuelSource, lines: readonly NumberLine[], isOfYear = false): FindEnd {
  const stepper = createStepper(item, undefined);
  const step = stepper ? 0 : findMedianStep(lines);
  return (instant) => {
    const end = stepper?.next(instant) ?? instant + step;
    return isOfYear && end === LEAP_DAY ? end + DAY : end;
  };
}

const LEAP_DAY = (31 + 28) * DAY;

const SAMPLE = 1000;

function findMedianStep(lines: readonly NumberLine[]): number {
  const steps = lines.flatMap(({ times }) =>
    [...times.subarray(0, SAMPLE)].map((time, index, all) => time - (all[index - 1] ?? time)),
  );
  return median(steps.filter((step) => step > 0)) ?? HOUR;
}

/** Inserts a point without a value for each gap, so that no line crosses it. */
export function breakAtGaps({ times, values }: NumberLine, findEnd: FindEnd): NumberLine {
  const brokenTimes: number[] = [];
  const brokenValues: number[] = [];
  for (const [index, time] of times.entries()) {
    const previous = times[index - 1];
    const due = previous === undefined ? time : findEnd(previous);
    // Half an interval of tolerance: a service may mark an interval with a time inside it.
    if (previous !== undefined && time > due + (due - previous) / 2) {
      brokenTimes.push(due);
      brokenValues.push(Number.NaN);
    }
    brokenTimes.push(time);
    brokenValues.push(values[index] as number);
  }
  if (brokenTimes.length === times.length) return { times, values };
  return { times: Float64Array.from(brokenTimes), values: Float64Array.from(brokenValues) };
}

/** Aligns lines to the times of all of them. If a line has several points at one time, the last is used. */
export function alignLines(lines: readonly NumberLine[]): {
  readonly times: Float64Array;
  readonly values: Float64Array[];
} {
  const first = lines[0]?.times ?? new Float64Array();
  if (lines.every(({ times }) => haveSameTimes(times, first)))
    return { times: first, values: lines.map(({ values }) => values) };
  const times = Float64Array.from(new Set(lines.flatMap((line) => [...line.times]))).sort();
  return { times, values: lines.map((line) => placeValues(line, times)) };
}

function placeValues({ times, values }: NumberLine, at: Float64Array): Float64Array {
  const placed = new Float64Array(at.length).fill(Number.NaN);
  let index = 0;
  for (const [position, time] of times.entries()) {
    while ((at[index] as number) < time) index++;
    placed[index] = values[position] as number;
  }
  return placed;
}

/** Combines lines into one: at each time, the sum or mean of the existing values. */
export function combineLines(lines: readonly NumberLine[], by: "sum" | "mean"): NumberLine {
  const { times, values } = alignLines(lines);
  const combined = times.map((_, index) => {
    const present = values.map((column) => column[index] as number).filter((value) => !Number.isNaN(value));
    const mean = meanOf(present) ?? Number.NaN;
    return by === "sum" ? mean * present.length : mean;
  });
  return { times, values: combined };
}
