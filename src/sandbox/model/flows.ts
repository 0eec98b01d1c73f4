import { LINKS, REGIONS } from "../fleet/regions.ts";
import { stepsOfDates, STEPS_PER_DAY } from "./clock.ts";
import { gridOf, MW_PER_GRID, type Row, type RowSupply } from "./rows.ts";

/** A region's trade over its interconnectors on the integer grid; neither is negative. */
export interface Flows {
  readonly imports: Row;
  readonly exports: Row;
}

export interface Pressure {
  /** Load on the region's own firm plant before trade, MW. */
  readonly need: Row;
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
