import { STEPS_PER_DAY } from "./clock.ts";

/** One number for each of a day's 288 intervals. */
export type DayRow = Float64Array;

const ROWS_PER_SLAB = 64;

/** Memory blocks reused between days: a day takes hundreds of rows, and allocating them costs as much as filling them. */
export class SlabPool {
  readonly #free: DayRow[] = [];

  take(): DayRow {
    return this.#free.pop() ?? new Float64Array(STEPS_PER_DAY * ROWS_PER_SLAB);
  }

  give(slab: DayRow): void {
    this.#free.push(slab);
  }
}

/** The rows of one day. */
export class RowSupply {
  readonly #pool: SlabPool;
  readonly #slabs: DayRow[] = [];
  #used = ROWS_PER_SLAB;

  constructor(pool: SlabPool) {
    this.#pool = pool;
  }

  /** A zeroed row. */
  take(): DayRow {
    if (this.#used === ROWS_PER_SLAB) {
      this.#slabs.push(this.#pool.take());
      this.#used = 0;
    }
    const from = this.#used * STEPS_PER_DAY;
    this.#used++;
    return this.#slabs
      .at(-1)!
      .subarray(from, from + STEPS_PER_DAY)
      .fill(0);
  }

  /** Returns all rows to the pool; none may be read afterwards. */
  release(): void {
    for (const slab of this.#slabs.splice(0)) this.#pool.give(slab);
    this.#used = ROWS_PER_SLAB;
  }
}

const GRID_PER_MW = 10_000 / 12;
export const MW_PER_GRID = 12 / 10_000;

/** Energy of one interval in units of 0.0001 MWh, the model's integer grid (sums are exact in any order); power is 12 times that. */
export function gridOf(megawatts: number): number {
  // Several times faster than Math.round; values are far below 2^31.
  return (megawatts * GRID_PER_MW + 0.5) | 0;
}

/** Adds `row` to `sum`, and returns that. */
export function addRow(sum: DayRow, row: DayRow): DayRow {
  for (let i = 0; i < sum.length; i++) sum[i]! += row[i]!;
  return sum;
}
