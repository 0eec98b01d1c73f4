import type { Fueltech } from "../../base/fueltechs.ts";
import { hashUnit } from "./noise.ts";
import { isAvailable, type ModelUnit } from "./units.ts";

/** Gas and oil in the order of dispatch. */
export const MERIT_ORDER = [
  ["gas_wcmg", "gas_ccgt"],
  ["gas_steam", "gas_recip"],
  ["gas_ocgt"],
  ["distillate"],
] as const satisfies readonly (readonly Fueltech[])[];

/** Available capacity of a region on one day, MW. */
export interface Capacity {
  readonly coal: number;
  readonly hydro: number;
  readonly bioenergy: number;
  /** By index in MERIT_ORDER. */
  readonly gas: readonly number[];
  /** Sum of all. */
  readonly firm: number;
}

/** Constant output of bioenergy and minimum output of coal, as shares of capacity. */
export const BIOENERGY_USE = 0.72;
export const COAL_FLOOR = 0.38;

/** Repairs of coal units take this many days. */
const REPAIR_BLOCK = 12;
const REPAIR_SHARE = 0.09;

export function computeCapacity(units: readonly ModelUnit[], day: number): Capacity {
  const online = units.filter((unit) => isOnline(unit, day));
  const coal = sumOf(online, ["coal_black", "coal_brown"]);
  const hydro = sumOf(online, ["hydro"]);
  const bioenergy = sumOf(online, ["bioenergy_biogas", "bioenergy_biomass"]);
  const gas = MERIT_ORDER.map((fueltechs) => sumOf(online, fueltechs));
  return { coal, hydro, bioenergy, gas, firm: coal + hydro + bioenergy + gas.reduce((sum, each) => sum + each, 0) };
}

/** Available and not under repair. Only coal has repairs; its output is then 0, not null. */
export function isOnline(unit: ModelUnit, day: number): boolean {
  if (!isAvailable(unit, day)) return false;
  if (!unit.fueltech.startsWith("coal")) return true;
  return hashUnit(unit.seed + 5, Math.floor((day + (unit.seed % REPAIR_BLOCK)) / REPAIR_BLOCK)) >= REPAIR_SHARE;
}

function sumOf(units: readonly ModelUnit[], fueltechs: readonly Fueltech[]): number {
  return units.reduce((sum, unit) => (fueltechs.includes(unit.fueltech) ? sum + unit.megawatts : sum), 0);
}
