import { DAY } from "../../time/local-time.ts";
import { LINKS } from "../fleet/regions.ts";
import { STEPS_PER_DAY } from "./clock.ts";
import { addNoise, seedOf } from "./noise.ts";
import { COAL_FLOOR, type Plant } from "./plants.ts";
import { type DayRow, gridOf, MW_PER_GRID, type RegionDay } from "./rows.ts";

export interface Trade {
  /** On the integer grid; neither is negative. */
  readonly imports: DayRow;
  readonly exports: DayRow;
  /** Load on the region's firm plant, including trade, in MW. */
  readonly load: DayRow;
}

const STEEPNESS = 4;

/** Each interconnector carries power to the region that uses a larger share of its firm plant. */
export function computeTrade({ region, day, rows }: RegionDay, plantOf: (code: string) => Plant): Trade {
  const [imports, exports, load] = [rows.take(), rows.take(), rows.take()];
  for (const { from, to, megawatts, since } of LINKS) {
    if (![from, to].includes(region.code) || Date.parse(since) > day * DAY) continue;
    const [forth, back] = from === region.code ? [exports, imports] : [imports, exports];
    addTransfer({ from: plantOf(from), to: plantOf(to), megawatts }, forth, back);
  }
  const { loadBeforeTrade } = plantOf(region.code);
  for (let i = 0; i < load.length; i++) load[i] = loadBeforeTrade[i]! + (exports[i]! - imports[i]!) * MW_PER_GRID;
  return { imports, exports, load };
}

function addTransfer(line: { from: Plant; to: Plant; megawatts: number }, forth: DayRow, back: DayRow): void {
  const { from, to, megawatts } = line;
  const fromShare = 1 / Math.max(1, from.capacity.firm);
  const toShare = 1 / Math.max(1, to.capacity.firm);
  for (let i = 0; i < forth.length; i++) {
    const slope = to.loadBeforeTrade[i]! * toShare - from.loadBeforeTrade[i]! * fromShare;
    const sent = gridOf(megawatts * Math.min(1, Math.max(-1, STEEPNESS * slope)));
    forth[i]! += Math.max(0, sent);
    back[i]! += Math.max(0, -sent);
  }
}

/** The market's price limits, in cents per MWh. */
const LOWEST = -100_000;
const HIGHEST = 1_500_000;
/** Used share of the firm plant above which prices spike. */
const SCARCE = 0.84;

/**
 * Spot price in whole cents per MWh: rises with the use of firm plant, spikes when that runs out, falls below zero in a
 * surplus.
 */
export function computePrice({ region, day, rows }: RegionDay, { capacity }: Plant, load: DayRow): DayRow {
  const price = addNoise(rows.take(), day, { seed: seedOf(region.code) + 21, period: 7, amplitude: 0.16 });
  const fuel = addNoise(rows.take(), day, { seed: seedOf("fuel"), period: 120 * STEPS_PER_DAY, amplitude: 0.45 });
  const floor = COAL_FLOOR * capacity.coal;
  const firm = Math.max(1, capacity.firm);
  for (let i = 0; i < price.length; i++) {
    const use = load[i]! / firm;
    const usual = (1800 + 15_000 * use * use) * (1 + fuel[i]!);
    const surplus = Math.max(0, floor - load[i]!) / firm;
    const scarcity = Math.max(0, use - SCARCE);
    const cents =
      usual * (1 + price[i]!) +
      1.5e7 * scarcity * scarcity * (1 + 3 * price[i]!) -
      (surplus > 0 ? 2500 + 40_000 * surplus : 0);
    price[i] = Math.round(Math.min(HIGHEST, Math.max(LOWEST, cents)));
  }
  return price;
}
