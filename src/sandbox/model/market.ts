import { LINKS, type Region, REGIONS } from "../fleet/regions.ts";
import { STEPS_PER_DAY, stepsOfDates } from "./clock.ts";
import { gridOf, MW_PER_GRID, type DayRow, type RowSupply } from "./rows.ts";
import { addNoise, seedOf } from "./noise.ts";

/** A region's trade over its interconnectors on the integer grid; neither is negative. */
export interface Flows {
  readonly imports: DayRow;
  readonly exports: DayRow;
}

export interface Pressure {
  /** Load on the region's own firm plant before trade, MW. */
  readonly need: DayRow;
  /** Capacity of that plant, MW. */
  readonly firm: number;
}

const LINES = LINKS.map((link) => ({
  from: REGIONS.findIndex((region) => region.code === link.from),
  to: REGIONS.findIndex((region) => region.code === link.to),
  megawatts: link.megawatts,
  first: stepsOfDates({ from: link.since })[0],
}));
const STEEPNESS = 4;

/** Power flows on each line from the region whose plant is less used to the one whose plant is more used. */
export function computeFlows(pressures: readonly Pressure[], day: number, rows: RowSupply): Flows[] {
  const flows = pressures.map(() => ({ imports: rows.take(), exports: rows.take() }));
  for (const line of LINES) {
    if (line.first > day * STEPS_PER_DAY) continue;
    send({ from: pressures[line.from]!, to: pressures[line.to]!, megawatts: line.megawatts }, flows[line.from]!, flows[line.to]!);
  }
  return flows;
}

function send(line: { from: Pressure; to: Pressure; megawatts: number }, from: Flows, to: Flows): void {
  const {
    from: { need: fromNeed },
    to: { need: toNeed },
    megawatts,
  } = line;
  const fromShare = 1 / Math.max(1, line.from.firm);
  const toShare = 1 / Math.max(1, line.to.firm);
  for (let i = 0; i < STEPS_PER_DAY; i++) {
    const slope = toNeed[i]! * toShare - fromNeed[i]! * fromShare;
    const sent = gridOf(megawatts * Math.min(1, Math.max(-1, STEEPNESS * slope)));
    const forth = Math.max(0, sent);
    const back = forth - sent;
    from.exports[i]! += forth;
    to.imports[i]! += forth;
    from.imports[i]! += back;
    to.exports[i]! += back;
  }
}

/** Exports less imports, MW. */
export function netExportsAt(flows: Flows, i: number): number {
  return (flows.exports[i]! - flows.imports[i]!) * MW_PER_GRID;
}

interface Tightness {
  /** Load on the firm plant, and its capacity, MW. */
  readonly need: DayRow;
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
export function computePrice(region: Region, day: number, { tightness, rows }: { tightness: Tightness; rows: RowSupply }): DayRow {
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
