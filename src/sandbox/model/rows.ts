import type { Region } from "../fleet/regions.ts";
import { STEPS_PER_DAY } from "./clock.ts";

/** One number for each of a day's 288 intervals. */
export type DayRow = Float64Array;

/** A region and day for which parts of the model are computed, and the rows to compute them in. */
export interface RegionDay {
  readonly region: Region;
  readonly day: number;
  readonly rows: RowSupply;
}

const ROWS_PER_SLAB = 64;

/**
 * The rows of one day, in slabs reused between days: a day takes hundreds of rows, and allocating them costs as much as
 * filling them.
 */
export class RowSupply {
  readonly #free: DayRow[];
  readonly #slabs: DayRow[] = [];
  #used = ROWS_PER_SLAB;

  /** `free`: slabs that no day uses. */
  constructor(free: DayRow[]) {
    this.#free = free;
  }

  /** A zeroed row. */
  take(): DayRow {
    if (this.#used === ROWS_PER_SLAB) {
      this.#slabs.push(this.#free.pop() ?? new Float64Array(STEPS_PER_DAY * ROWS_PER_SLAB));
      this.#used = 0;
    }
    const from = this.#used * STEPS_PER_DAY;
    this.#used++;
    return this.#slabs
      .at(-1)!
      .subarray(from, from + STEPS_PER_DAY)
      .fill(0);
  }

  /** Frees all rows; none may be read afterwards. */
  release(): void {
    this.#free.push(...this.#slabs.splice(0));
    this.#used = ROWS_PER_SLAB;
  }
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
