import type { Fueltech } from "../../base/fueltechs.ts";
import { type Capacity, isOnline, MERIT_ORDER } from "./capacity.ts";
import { STEPS_PER_DAY } from "./clock.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Farms } from "./plants.ts";
import { addNoise, hashUnit, seedOf } from "./noise.ts";
import { gridOf, type DayRow, type RowSupply } from "./rows.ts";
import type { ModelUnit } from "./units.ts";

export interface Plant {
  readonly capacity: Capacity;
  readonly dispatch: Dispatch;
  readonly farms: Farms;
  readonly rows: RowSupply;
}

/** Energy per interval of any unit but batteries and rooftop solar, on the integer grid. */
export function computeOutput(unit: ModelUnit, day: number, plant: Plant): DayRow {
  const output = plant.rows.take();
  if (!isOnline(unit, day)) return output;
  const available = plant.farms.available.get(unit.index);
  if (available) return fillFarm(output, available, plant.dispatch.cut[unit.fueltech === "wind" ? "wind" : "solar"]);
  return fillShare(output, callOf(unit.fueltech, plant), { megawatts: unit.megawatts, jitter: jitterOf(unit, day) });
}

function fillFarm(output: DayRow, available: DayRow, cut: DayRow): DayRow {
  for (let i = 0; i < output.length; i++) output[i] = gridOf(available[i]! * (1 - cut[i]!));
  return output;
}

/** The unit's share of the output of its kind, within its capacity. */
function fillShare(output: DayRow, call: KindCall, unit: { megawatts: number; jitter: DayRow }): DayRow {
  const { megawatts, jitter } = unit;
  const share = megawatts / Math.max(1, call.capacity);
  for (let i = 0; i < output.length; i++) output[i] = gridOf(Math.min(megawatts, call.row[i]! * share * jitter[i]!));
  return output;
}

/** A unit's own variation, a few percent around 1: a slice of shared noise, since computing its own would dominate the cost. */
function jitterOf(unit: ModelUnit, day: number): DayRow {
  const start = Math.floor(hashUnit(unit.seed, day) * (JITTER.length - STEPS_PER_DAY));
  return JITTER.subarray(start, start + STEPS_PER_DAY);
}

const JITTER = new Float64Array(16 * STEPS_PER_DAY).fill(1);
addNoise(JITTER, { seed: seedOf("jitter"), period: 11, amplitude: 0.02 }, 0);

/** Total output and capacity of one kind of units, MW. */
interface KindCall {
  readonly row: DayRow;
  readonly capacity: number;
}

function callOf(fueltech: Fueltech, plant: Plant): KindCall {
  const { capacity, dispatch } = plant;
  if (fueltech.startsWith("coal")) return { row: dispatch.coal, capacity: capacity.coal };
  if (fueltech === "hydro") return { row: dispatch.hydro, capacity: capacity.hydro };
  const level = MERIT_ORDER.findIndex((fueltechs: readonly Fueltech[]) => fueltechs.includes(fueltech));
  if (level >= 0) return { row: dispatch.gas[level]!, capacity: capacity.gas[level]! };
  return { row: dispatch.bioenergy, capacity: capacity.bioenergy };
}
