import type { Fueltech } from "../../vocabulary.ts";
import { type Capacity, isOnline, MERIT_ORDER } from "./capacity.ts";
import { STEPS_PER_DAY } from "./clock.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Farms } from "./farms.ts";
import { addNoise } from "./noise.ts";
import { gridOf, type Row, type RowSupply } from "./rows.ts";
import type { ModelUnit } from "./units.ts";

export interface Plant {
  readonly capacity: Capacity;
  readonly dispatch: Dispatch;
  readonly farms: Farms;
  readonly rows: RowSupply;
}

/** Energy of one interval of any unit but batteries and rooftop, on the integer grid. */
export function computeOutput(unit: ModelUnit, day: number, plant: Plant): Row {
  const output = plant.rows.take();
  if (!isOnline(unit, day)) return output;
  const available = plant.farms.available.get(unit.index);
  if (available) return fillFarm(output, available, curtailmentOf(unit.fueltech, plant));
  const call = callOf(unit.fueltech, plant);
  const share = unit.megawatts / Math.max(1, call.capacity);
  addNoise(output, { seed: unit.seed + 9, period: 11, amplitude: 0.02 }, day * STEPS_PER_DAY);
  for (let i = 0; i < output.length; i++) {
    const megawatts = (call.row === undefined ? 0.72 * call.capacity : call.row[i]!) * share * (1 + output[i]!);
    output[i] = gridOf(Math.min(unit.megawatts, megawatts));
  }
  return output;
}

function fillFarm(output: Row, available: Row, cut: { taken: Row; of: Row }): Row {
  for (let i = 0; i < output.length; i++) {
    const kept = 1 - cut.taken[i]! / Math.max(1e-9, cut.of[i]!);
    output[i] = gridOf(available[i]! * Math.max(0, kept));
  }
  return output;
}

function curtailmentOf(fueltech: Fueltech, plant: Plant): { taken: Row; of: Row } {
  if (fueltech === "wind") return { taken: plant.dispatch.curtailedWind, of: plant.farms.wind };
  return { taken: plant.dispatch.curtailedSolar, of: plant.farms.solar };
}

/** What the unit's kind gives together, and its capacity; a kind without a row runs steadily. */
function callOf(fueltech: Fueltech, plant: Plant): { row: Row | undefined; capacity: number } {
  const { capacity, dispatch } = plant;
  if (fueltech.startsWith("coal")) return { row: dispatch.coal, capacity: capacity.coal };
  if (fueltech === "hydro") return { row: dispatch.hydro, capacity: capacity.hydro };
  const level = MERIT_ORDER.findIndex((fueltechs: readonly Fueltech[]) => fueltechs.includes(fueltech));
  if (level >= 0) return { row: dispatch.gas[level], capacity: capacity.gas[level]! };
  return { row: undefined, capacity: capacity.bioenergy };
}
