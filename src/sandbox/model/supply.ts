/** What generates: the plant of a region on one day, what it gives, and the price. */
import type { Fueltech } from "../../base/fueltechs.ts";
import type { FleetFacility } from "../fleet/facility.ts";
import type { Region } from "../fleet/regions.ts";
import { includeDay, meridianOf, STEPS_PER_DAY } from "./clock.ts";
import type { Demand, Weather } from "./demand.ts";
import { hashUnit, noise, seedOf } from "./noise.ts";
import { type DayRow, emptyRow, gridOf, MW_PER_GRID, rowOf, sumRows } from "./rows.ts";
import { type ModelUnit, UNITS } from "./units.ts";

/** The available plant of a region on one day. */
export interface Plant {
  readonly region: Region;
  readonly day: number;
  readonly units: readonly ModelUnit[];
  /** In MW. */
  readonly capacity: Readonly<Record<Kind, number>>;
  /** The sum of all except wind and solar. */
  readonly firm: number;
  /** In MW, before curtailment: each wind and solar farm by its code, and all of a kind. */
  readonly farms: Readonly<Record<FarmKind, DayRow>> & { readonly outputs: ReadonlyMap<string, DayRow> };
  readonly batteries: ReadonlyMap<FleetFacility | undefined, BatteryDay>;
  /** Load on firm plant before trade, in MW: demand minus wind, solar, bioenergy and batteries. */
  readonly load: DayRow;
}

export type FarmKind = "wind" | "solar";
type Kind = FarmKind | "coal" | "hydro" | "bioenergy" | "gas";

const KIND_OF: Partial<Record<Fueltech, Kind>> = {
  wind: "wind",
  solar_utility: "solar",
  coal_black: "coal",
  coal_brown: "coal",
  hydro: "hydro",
  bioenergy_biogas: "bioenergy",
  bioenergy_biomass: "bioenergy",
  gas_wcmg: "gas",
  gas_ccgt: "gas",
  gas_steam: "gas",
  gas_recip: "gas",
  gas_ocgt: "gas",
  distillate: "gas",
};

/** Constant output of bioenergy and minimum output of coal, as shares of capacity. */
const BIOENERGY_USE = 0.72;
const COAL_FLOOR = 0.38;
const COAL_CEILING = 0.94;

export function computePlant(region: Region, day: number, { net, weather }: Demand): Plant {
  const units = UNITS.filter((unit) => unit.region === region && includeDay(unit.spans, day));
  const capacity = { wind: 0, solar: 0, coal: 0, hydro: 0, bioenergy: 0, gas: 0 };
  for (const unit of units) {
    const kind = KIND_OF[unit.fueltech];
    if (kind && !isInRepair(unit, day)) capacity[kind] += unit.megawatts;
  }
  const ofKind = (kind: FarmKind) => units.filter(({ fueltech }) => KIND_OF[fueltech] === kind);
  const outputs = new Map([
    ...ofKind("wind").map((unit) => [unit.code, computeWindFarm(unit, day, weather)] as const),
    ...ofKind("solar").map((unit) => [unit.code, computeSolarFarm(unit, day, weather)] as const),
  ]);
  const sumOf = (kind: FarmKind) => sumRows(ofKind(kind).map(({ code }) => outputs.get(code)!));
  const farms = { wind: sumOf("wind"), solar: sumOf("solar"), outputs };
  const nets = units.filter(({ fueltech }) => fueltech === "battery");
  const batteries = new Map(nets.map((unit) => [unit.facility, computeBattery(unit, region, day)]));
  const stored = sumRows(Array.from(batteries.values(), ({ battery }) => battery));
  const steady = BIOENERGY_USE * capacity.bioenergy;
  const load = rowOf((i) => (net[i]! - stored[i]!) * MW_PER_GRID - farms.wind[i]! - farms.solar[i]! - steady);
  const firm = Math.max(1, capacity.coal + capacity.hydro + capacity.bioenergy + capacity.gas);
  return { region, day, units, farms, capacity, firm, batteries, load };
}

/** Repairs of coal units take this many days. */
const REPAIR_BLOCK = 12;
const REPAIR_SHARE = 0.09;

/** True if a coal unit is being repaired; its output is then 0, not null. Other units have no repairs. */
function isInRepair(unit: ModelUnit, day: number): boolean {
  if (KIND_OF[unit.fueltech] !== "coal") return false;
  return hashUnit(unit.seed + 5, Math.floor((day + (unit.seed % REPAIR_BLOCK)) / REPAIR_BLOCK)) < REPAIR_SHARE;
}

function computeWindFarm({ seed, megawatts }: ModelUnit, day: number, { wind }: Weather): DayRow {
  const slow = { seed, period: 90, amplitude: 0.25 };
  const own = noise(day, [slow, { seed: seed + 1, period: 5, amplitude: 0.06 }]);
  for (let i = 0; i < STEPS_PER_DAY; i++) {
    const speed = Math.min(1, Math.max(0, 0.47 + 0.45 * (wind[i]! + own[i]!)));
    own[i] = megawatts * 0.97 * speed * speed * (3 - 2 * speed);
  }
  return own;
}

/** Uses the square root of the sun, since tracking panels reach full output well before noon. */
function computeSolarFarm({ seed, megawatts }: ModelUnit, day: number, { sun, clear }: Weather): DayRow {
  const own = noise(day, [{ seed, period: 9, amplitude: 0.08 }]);
  for (let i = 0; i < STEPS_PER_DAY; i++)
    own[i] = megawatts * Math.min(1, 1.2 * Math.sqrt(sun[i]!) * Math.max(0, clear[i]! + own[i]!));
  return own;
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
/** Solar time, in intervals of the day: 9:30 to 15:00 and 17:15 to 21:15. */
const CHARGE = { from: 114, to: 180 };
const DISCHARGE = { from: 207, to: 255 };

/**
 * Charges around noon and discharges in the evening. The level is the same at each midnight, so that days are
 * independent.
 */
function computeBattery({ seed, megawatts, storage = 0 }: ModelUnit, region: Region, day: number): BatteryDay {
  const used = storage * (0.55 + 0.35 * hashUnit(seed, day));
  const east = (meridianOf(region.network) - region.location.lng) * (STEPS_PER_DAY / 360);
  const shift = Math.round(east + 12 * hashUnit(seed + 1, day) - 6);
  const charging = spread(CHARGE, shift, Math.min(used / ROUND_TRIP, megawatts * 3.4));
  const discharging = spread(DISCHARGE, shift, Math.min(used, megawatts * 3.4 * ROUND_TRIP));
  let stored = gridOf(storage * FLOOR_SHARE * 12);
  const level = rowOf((i) => (stored += Math.round(charging[i]! * ROUND_TRIP) - discharging[i]!));
  const net = rowOf((i) => discharging[i]! - charging[i]!);
  return { battery: net, battery_charging: charging, battery_discharging: discharging, level };
}

/** `energy` MWh over a span, as a parabola. */
function spread(span: { readonly from: number; readonly to: number }, shift: number, energy: number): DayRow {
  const length = span.to - span.from;
  const scale = (energy * 12 * 6) / length ** 3;
  return rowOf((step) => {
    const i = step - span.from - shift;
    return i < 0 || i >= length ? 0 : gridOf(scale * (i + 0.5) * (length - i - 0.5));
  });
}

/** How far the regions of a network share what each has: 1 would be one region. */
const SHARED = 0.3;

/**
 * A region's load on its own firm plant, in MW: the regions of a network share theirs. What it needs beyond that is
 * imported. `plants`: of all regions of the network.
 */
export function shareLoad(own: Plant, plants: readonly Plant[]): DayRow {
  const total = sumRows(plants.map(({ load }) => load));
  const share = own.firm / plants.reduce((sum, { firm }) => sum + firm, 0);
  return rowOf((i) => own.load[i]! + SHARED * (total[i]! * share - own.load[i]!));
}

/** What the plant of a region gives for a load. */
export interface Dispatch extends Readonly<Record<Exclude<Kind, FarmKind>, DayRow>> {
  /** The curtailed shares of the available wind and solar. */
  readonly cut: Readonly<Record<FarmKind, DayRow>>;
}

/** Above these shares of capacity, transmission is constrained. */
const LINE_LIMITS = { wind: 0.82, solar: 0.9 };
const LINE_LOSS = 0.3;

/**
 * Coal runs between its floor and ceiling, hydro and gas share the rest; below coal's floor, wind and solar are
 * curtailed.
 */
export function computeDispatch({ capacity, farms }: Plant, load: DayRow): Dispatch {
  const [floor, ceiling] = [COAL_FLOOR * capacity.coal, COAL_CEILING * capacity.coal];
  const coal = rowOf((i) => Math.min(ceiling, Math.max(floor, 0.9 * load[i]!)));
  const hydroShare = capacity.hydro / Math.max(1, capacity.hydro + capacity.gas);
  const hydro = rowOf((i) => Math.min(0.95 * capacity.hydro, Math.max(0, load[i]! - coal[i]!) * hydroShare));
  const gas = rowOf((i) => Math.min(0.97 * capacity.gas, Math.max(0, load[i]! - coal[i]! - hydro[i]!)));
  const cutOf = (kind: FarmKind) =>
    rowOf((i) => {
      const beyond = Math.max(0, 1 - (LINE_LIMITS[kind] * capacity[kind]) / Math.max(1, farms[kind][i]!));
      const surplus = Math.max(0, coal[i]! - load[i]!) / Math.max(1, farms.wind[i]! + farms.solar[i]!);
      return Math.max(Math.min(1, surplus), LINE_LOSS * beyond);
    });
  const bioenergy = rowOf(() => BIOENERGY_USE * capacity.bioenergy);
  return { coal, hydro, gas, bioenergy, cut: { wind: cutOf("wind"), solar: cutOf("solar") } };
}

/**
 * Energy of a unit per interval, on the integer grid; not for rooftop solar. Charging is positive for the charging unit
 * and negative for the net unit.
 */
export function computeOutput(unit: ModelUnit, day: number, { plant, dispatch }: Supply): DayRow {
  const { megawatts, seed, code, fueltech } = unit;
  const stored = plant.batteries.get(unit.facility)?.[fueltech];
  if (stored) return stored;
  const kind = KIND_OF[fueltech];
  const output = emptyRow();
  if (kind === undefined || isInRepair(unit, day)) return output;
  // With loops of its own: of all rows, most are those of units.
  if (kind === "wind" || kind === "solar") {
    const [available, cut] = [plant.farms.outputs.get(code)!, dispatch.cut[kind]];
    for (let i = 0; i < STEPS_PER_DAY; i++) output[i] = gridOf(available[i]! * (1 - cut[i]!));
    return output;
  }
  const share = megawatts / Math.max(1, plant.capacity[kind]);
  // A slice of shared noise: computing noise for each unit would dominate the cost.
  const start = Math.floor(hashUnit(seed, day) * (JITTER.length - STEPS_PER_DAY));
  const [all, jitter] = [dispatch[kind], JITTER.subarray(start, start + STEPS_PER_DAY)];
  for (let i = 0; i < STEPS_PER_DAY; i++) output[i] = gridOf(Math.min(megawatts, all[i]! * share * jitter[i]!));
  return output;
}

interface Supply {
  readonly plant: Plant;
  readonly dispatch: Dispatch;
}

const JITTER = noise(0, [{ seed: seedOf("jitter"), period: 11, amplitude: 0.02 }], 16 * STEPS_PER_DAY).map(
  (value) => 1 + value,
);

/** The market's price limits, in cents per MWh. */
const LOWEST = -100_000;
const HIGHEST = 1_500_000;
/** Used share of the firm plant above which prices spike. */
const SCARCE = 0.84;

/**
 * Spot price in whole cents per MWh: rises with the use of firm plant, spikes when that runs out, falls below zero in a
 * surplus.
 */
export function computePrice({ region, day, capacity, firm }: Plant, load: DayRow): DayRow {
  const own = noise(day, [{ seed: seedOf(region.code) + 21, period: 7, amplitude: 0.16 }]);
  const fuel = noise(day, [{ seed: seedOf("fuel"), period: 120 * STEPS_PER_DAY, amplitude: 0.45 }]);
  return rowOf((i) => {
    const use = load[i]! / firm;
    const usual = (1800 + 15_000 * use * use) * (1 + fuel[i]!);
    const surplus = Math.max(0, COAL_FLOOR * capacity.coal - load[i]!) / firm;
    const scarcity = Math.max(0, use - SCARCE);
    const spike = 1.5e7 * scarcity * scarcity * (1 + 3 * own[i]!);
    const cents = usual * (1 + own[i]!) + spike - (surplus > 0 ? 2500 + 40_000 * surplus : 0);
    return Math.round(Math.min(HIGHEST, Math.max(LOWEST, cents)));
  });
}
