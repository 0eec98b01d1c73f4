import type { Fueltech } from "../../base/fueltechs.ts";
import type { FleetFacility } from "../fleet/facility.ts";
import { includeDay, meridianOf, STEPS_PER_DAY } from "./clock.ts";
import type { Demand } from "./demand.ts";
import { addNoise, hashUnit } from "./noise.ts";
import { addRow, type DayRow, gridOf, MW_PER_GRID, type RegionDay } from "./rows.ts";
import { type ModelUnit, UNITS } from "./units.ts";
import type { Weather } from "./weather.ts";

/** The available plant of a region on one day. */
export interface Plant {
  readonly units: readonly ModelUnit[];
  /** In MW; `firm` is the sum of all except wind and solar. */
  readonly capacity: Readonly<Record<FarmKind | FirmKind | "firm", number>>;
  /** In MW, before curtailment: all wind, all utility solar, and each unit by its code. */
  readonly farms: Readonly<Record<FarmKind, DayRow>> & { readonly outputs: ReadonlyMap<string, DayRow> };
  readonly batteries: ReadonlyMap<FleetFacility | undefined, BatteryDay>;
  /** Load on firm plant, in MW: demand minus wind, solar, bioenergy and batteries. */
  readonly loadBeforeTrade: DayRow;
}

export function computePlant(regionDay: RegionDay, demand: Demand): Plant {
  const { region, day, rows } = regionDay;
  const units = UNITS.filter((unit) => unit.region === region && includeDay(unit.spans, day));
  const farms = computeFarms(regionDay, units, demand.weather);
  const capacity = computeCapacity(units, day);
  const nets = units.filter(({ fueltech }) => fueltech === "battery");
  const batteries = new Map(nets.map((unit) => [unit.facility, computeBattery(unit, regionDay)]));
  const load = rows.take();
  for (const { battery } of batteries.values()) for (let i = 0; i < load.length; i++) load[i]! -= battery[i]!;
  const steady = BIOENERGY_USE * capacity.bioenergy;
  for (let i = 0; i < load.length; i++) {
    load[i] = (load[i]! + demand.net[i]!) * MW_PER_GRID - farms.wind[i]! - farms.solar[i]! - steady;
  }
  return { units, farms, capacity, batteries, loadBeforeTrade: load };
}

export type FarmKind = "wind" | "solar";
/** Plant whose output can be dispatched. */
export type FirmKind = "coal" | "hydro" | "bioenergy" | "ccgt" | "steam" | "ocgt" | "oil";

export const KIND_OF: Partial<Record<Fueltech, FarmKind | FirmKind>> = {
  wind: "wind",
  solar_utility: "solar",
  coal_black: "coal",
  coal_brown: "coal",
  hydro: "hydro",
  bioenergy_biogas: "bioenergy",
  bioenergy_biomass: "bioenergy",
  gas_wcmg: "ccgt",
  gas_ccgt: "ccgt",
  gas_steam: "steam",
  gas_recip: "steam",
  gas_ocgt: "ocgt",
  distillate: "oil",
};

/** Constant output of bioenergy and minimum output of coal, as shares of capacity. */
export const BIOENERGY_USE = 0.72;
export const COAL_FLOOR = 0.38;

/** Repairs of coal units take this many days. */
const REPAIR_BLOCK = 12;
const REPAIR_SHARE = 0.09;

function computeCapacity(units: readonly ModelUnit[], day: number): Plant["capacity"] {
  const capacity = { wind: 0, solar: 0, coal: 0, hydro: 0, bioenergy: 0, ccgt: 0, steam: 0, ocgt: 0, oil: 0, firm: 0 };
  for (const unit of units) {
    const kind = KIND_OF[unit.fueltech];
    if (kind === undefined || isInRepair(unit, day)) continue;
    capacity[kind] += unit.megawatts;
    if (kind !== "wind" && kind !== "solar") capacity.firm += unit.megawatts;
  }
  return capacity;
}

/** True if a coal unit is being repaired; its output is then 0, not null. Other units have no repairs. */
export function isInRepair(unit: ModelUnit, day: number): boolean {
  if (KIND_OF[unit.fueltech] !== "coal") return false;
  return hashUnit(unit.seed + 5, Math.floor((day + (unit.seed % REPAIR_BLOCK)) / REPAIR_BLOCK)) < REPAIR_SHARE;
}

function computeFarms(regionDay: RegionDay, units: readonly ModelUnit[], weather: Weather) {
  const { rows } = regionDay;
  const farms = { outputs: new Map<string, DayRow>(), wind: rows.take(), solar: rows.take() };
  for (const unit of units) {
    const kind = KIND_OF[unit.fueltech];
    if (kind !== "wind" && kind !== "solar") continue;
    const output =
      kind === "wind" ? computeWindFarm(unit, regionDay, weather) : computeSolarFarm(unit, regionDay, weather);
    farms.outputs.set(unit.code, output);
    addRow(farms[kind], output);
  }
  return farms;
}

function computeWindFarm(unit: ModelUnit, { day, rows }: RegionDay, { wind }: Weather): DayRow {
  const slow = { seed: unit.seed, period: 90, amplitude: 0.25 };
  const output = addNoise(rows.take(), day, slow, { seed: unit.seed + 1, period: 5, amplitude: 0.06 });
  for (let i = 0; i < output.length; i++) {
    const speed = Math.min(1, Math.max(0, 0.47 + 0.45 * (wind[i]! + output[i]!)));
    output[i] = unit.megawatts * 0.97 * speed * speed * (3 - 2 * speed);
  }
  return output;
}

/** Uses the square root of the sun, since tracking panels reach full output well before noon. */
function computeSolarFarm(unit: ModelUnit, { day, rows }: RegionDay, { sun, clear }: Weather): DayRow {
  const output = addNoise(rows.take(), day, { seed: unit.seed, period: 9, amplitude: 0.08 });
  for (let i = 0; i < output.length; i++) {
    output[i] = unit.megawatts * Math.min(1, 1.2 * Math.sqrt(sun[i]!) * Math.max(0, clear[i]! + output[i]!));
  }
  return output;
}

/**
 * A battery's day on the integer grid, by the fueltech of its units; `level` is the stored energy at the end of the
 * interval.
 */
interface BatteryDay extends Readonly<Partial<Record<Fueltech, DayRow>>> {
  readonly battery: DayRow;
  readonly level: DayRow;
}

const ROUND_TRIP = 0.86;
const FLOOR_SHARE = 0.1;
const STEPS_PER_DEGREE = STEPS_PER_DAY / 360;
/** Solar time, in intervals of the day: 9:30 to 15:00 and 17:15 to 21:15. */
const CHARGE = { from: 114, to: 180 };
const DISCHARGE = { from: 207, to: 255 };

/**
 * Charges around noon and discharges in the evening. The level is the same at each midnight, so that days are
 * independent.
 */
function computeBattery(unit: ModelUnit, { region, day, rows }: RegionDay): BatteryDay {
  const [charging, discharging, net, level] = [rows.take(), rows.take(), rows.take(), rows.take()];
  const capacity = unit.storage ?? 0;
  const used = capacity * (0.55 + 0.35 * hashUnit(unit.seed, day));
  const shift = Math.round(
    (meridianOf(region.network) - region.location.lng) * STEPS_PER_DEGREE + 12 * hashUnit(unit.seed + 1, day) - 6,
  );
  spread(charging, { span: CHARGE, shift }, Math.min(used / ROUND_TRIP, unit.megawatts * 3.4));
  spread(discharging, { span: DISCHARGE, shift }, Math.min(used, unit.megawatts * 3.4 * ROUND_TRIP));
  let stored = gridOf(capacity * FLOOR_SHARE * 12);
  for (let i = 0; i < STEPS_PER_DAY; i++) {
    net[i] = discharging[i]! - charging[i]!;
    stored += Math.round(charging[i]! * ROUND_TRIP) - discharging[i]!;
    level[i] = stored;
  }
  return { battery: net, battery_charging: charging, battery_discharging: discharging, level };
}

/** Spreads `energy` MWh over a span as a parabola. */
function spread(
  row: DayRow,
  { span, shift }: { span: { from: number; to: number }; shift: number },
  energy: number,
): void {
  const length = span.to - span.from;
  const scale = (energy * 12 * 6) / (length * length * length);
  for (let i = 0; i < length; i++) {
    const index = span.from + shift + i;
    if (index >= 0 && index < STEPS_PER_DAY) row[index] = gridOf(scale * (i + 0.5) * (length - i - 0.5));
  }
}
