import { STEPS_PER_DAY } from "./clock.ts";

/** One number for each of a day's 288 intervals. */
export type Row = Float64Array;

const ROWS_PER_SLAB = 64;

/** Hands out zeroed rows cut from large blocks: a day needs hundreds, and allocating each alone costs more than filling it. */
export class RowSupply {
  #slab = new Float64Array(0);
  #used = 0;

  take(): Row {
    if (this.#used + STEPS_PER_DAY > this.#slab.length) {
      this.#slab = new Float64Array(STEPS_PER_DAY * ROWS_PER_SLAB);
      this.#used = 0;
    }
    const row = this.#slab.subarray(this.#used, this.#used + STEPS_PER_DAY);
    this.#used += STEPS_PER_DAY;
    return row;
  }
}

/** Energy of one interval in units of 0.0001 MWh, the model's integer grid (sums are exact in any order); power is 12 times that. */
export function gridOf(megawatts: number): number {
  return Math.round((megawatts * 10_000) / 12);
}

export const MW_PER_GRID = 12 / 10_000;
