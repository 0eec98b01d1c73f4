import { STEPS_PER_DAY } from "./clock.ts";

/** One number for each of a day's 288 intervals. */
export type DayRow = Float64Array;

export function rowOf(valueAt: (i: number) => number): DayRow {
  const row = new Float64Array(STEPS_PER_DAY);
  for (let i = 0; i < STEPS_PER_DAY; i++) row[i] = valueAt(i);
  return row;
}

const GRID_PER_MW = 10_000 / 12;
export const MW_PER_GRID = 12 / 10_000;

/**
 * Converts MW to the energy of one interval in units of 0.0001 MWh, the model's integer grid, on which sums are exact
 * in any order. Power in units of 0.0001 MW is 12 times that.
 */
export function gridOf(megawatts: number): number {
  // Several times faster than Math.round; values are far below 2^31.
  return (megawatts * GRID_PER_MW + 0.5) | 0;
}

/** Adds `row` to `sum` and returns `sum`. */
export function addRow(sum: DayRow, row: DayRow): DayRow {
  for (let i = 0; i < sum.length; i++) sum[i]! += row[i]!;
  return sum;
}

export function sumRows(rows: Iterable<DayRow>): DayRow {
  const sum = new Float64Array(STEPS_PER_DAY);
  for (const row of rows) addRow(sum, row);
  return sum;
}
