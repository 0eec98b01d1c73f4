/** The points of a series as numbers. */
import { createNumberReader } from "./point-operations.ts";
import type { Points } from "./points.ts";

export interface NumberLine {
  /** Instants, in ascending order. */
  readonly times: Float64Array;
  /** NaN for a gap. */
  readonly values: Float64Array;
}

/** Largest number that can be placed on an axis and printed beside it. */
export const LARGEST = 1e21;

/** `skipped`: number of values that cannot be drawn. */
export function readNumberLine(points: Points): NumberLine & { readonly skipped: number } {
  const times = Float64Array.from(points.instants);
  const read = createNumberReader(points);
  let skipped = 0;
  const values = times.map((_, index) => {
    const value = read(index);
    if (value !== undefined && !(Math.abs(value) > LARGEST)) return value;
    skipped++;
    return Number.NaN;
  });
  return { times, values, skipped };
}

/** True if both have the same ascending times. */
export function haveSameTimes(a: Float64Array, b: Float64Array): boolean {
  return (
    a.length === b.length &&
    a.every((time, index) => time === b[index] && (index === 0 || time > (b[index - 1] as number)))
  );
}
