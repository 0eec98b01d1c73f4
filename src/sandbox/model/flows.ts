import { LINKS, REGIONS } from "../fleet/regions.ts";
import { stepsOfDates, STEPS_PER_DAY } from "./clock.ts";
import { gridOf, MW_PER_GRID, type Row, type RowSupply } from "./rows.ts";

/** A region's trade over its interconnectors on the integer grid; neither is negative. */
export interface Flows {
  readonly imports: Row;
  readonly exports: Row;
}

export interface Pressure {
  /** MW asked of the region's own firm plant before any trade. */
  readonly need: Row;
  /** MW of that plant. */
  readonly firm: number;
}

const LINES = LINKS.map((link) => ({
  from: REGIONS.findIndex((region) => region.code === link.from),
  to: REGIONS.findIndex((region) => region.code === link.to),
  megawatts: link.megawatts,
  first: stepsOfDates({ from: link.since }, 600)[0],
}));
const STEEPNESS = 4;

/** Power runs over each line from the region whose plant is less used to the one whose plant is more used. */
export function computeFlows(pressures: readonly Pressure[], day: number, rows: RowSupply): Flows[] {
  const flows = pressures.map(() => ({ imports: rows.take(), exports: rows.take() }));
  for (const line of LINES) {
    if (line.first > day * STEPS_PER_DAY) continue;
    const from = { pressure: pressures[line.from]!, flows: flows[line.from]! };
    const to = { pressure: pressures[line.to]!, flows: flows[line.to]! };
    for (let i = 0; i < STEPS_PER_DAY; i++) {
      const slope = useOf(to.pressure, i) - useOf(from.pressure, i);
      const sent = gridOf(line.megawatts * Math.min(1, Math.max(-1, STEEPNESS * slope)));
      const [seller, buyer] = sent > 0 ? [from.flows, to.flows] : [to.flows, from.flows];
      seller.exports[i]! += Math.abs(sent);
      buyer.imports[i]! += Math.abs(sent);
    }
  }
  return flows;
}

/** MW to add to a region's need: what it sends less what it gets. */
export function netExportsAt(flows: Flows, i: number): number {
  return (flows.exports[i]! - flows.imports[i]!) * MW_PER_GRID;
}

function useOf(pressure: Pressure, i: number): number {
  return pressure.need[i]! / Math.max(1, pressure.firm);
}
