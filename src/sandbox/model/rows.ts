import { STEPS_PER_DAY } from "./clock.ts";

/** One number for each of a day's 288 intervals. */
export type DayRow = Float64Array;

/** Rows of one block of memory: a day has hundreds, and to allocate one costs as much as to fill it. */
const ROWS_PER_BLOCK = 64;
const free: DayRow[] = [];

/** A zeroed row. */
export function emptyRow(): DayRow {
  if (free.length === 0) {
    const block = new Float64Array(STEPS_PER_DAY * ROWS_PER_BLOCK);
    for (let at = 0; at < block.length; at += STEPS_PER_DAY) free.push(block.subarray(at, at + STEPS_PER_DAY));
  }
  return free.pop()!;
}

export function rowOf(valueAt: (i: number) => number): DayRow {
  const row = emptyRow();
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
  const sum = emptyRow();
  for (const row of rows) addRow(sum, row);
  return sum;
}
