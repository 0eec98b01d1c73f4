import type { Region } from "../fleet/regions.ts";
import { STEPS_PER_DAY } from "./clock.ts";
import { addNoise, seedOf } from "./noise.ts";
import type { Row, RowSupply } from "./rows.ts";

export interface Tightness {
  /** Load on the firm plant, and its capacity, MW. */
  readonly need: Row;
  readonly firm: number;
  /** Minimum output of coal, MW. */
  readonly floor: number;
}

/** Cents per MWh: the market's price limits. */
const LOWEST = -100_000;
const HIGHEST = 1_500_000;
/** Use of the firm plant from which prices spike. */
const SCARCE = 0.84;

/** Spot price in whole cents per MWh: rises with the use of firm plant, spikes when that runs out, falls below zero in a surplus. */
export function computePrice(region: Region, day: number, { tightness, rows }: { tightness: Tightness; rows: RowSupply }): Row {
  const { need, firm, floor } = tightness;
  const first = day * STEPS_PER_DAY;
  const price = rows.take();
  const fuel = rows.take();
  const seed = seedOf(region.code);
  addNoise(price, { seed: seed + 21, period: 7, amplitude: 0.16 }, first);
  addNoise(fuel, { seed: seedOf("fuel"), period: 120 * STEPS_PER_DAY, amplitude: 0.45 }, first);
  for (let i = 0; i < price.length; i++) {
    const use = need[i]! / Math.max(1, firm);
    const usual = (1800 + 15_000 * use * use) * (1 + fuel[i]!);
    const surplus = Math.max(0, floor - need[i]!) / Math.max(1, firm);
    const scarcity = Math.max(0, use - SCARCE);
    const cents = usual * (1 + price[i]!) + 1.5e7 * scarcity * scarcity * (1 + 3 * price[i]!) - (surplus > 0 ? 2500 + 40_000 * surplus : 0);
    price[i] = Math.round(Math.min(HIGHEST, Math.max(LOWEST, cents)));
  }
  return price;
}
