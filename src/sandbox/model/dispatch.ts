import { STEPS_PER_DAY } from "./clock.ts";
import { addNoise, hashUnit, seedOf } from "./noise.ts";
import { BIOENERGY_USE, COAL_FLOOR, type FarmKind, type FirmKind, isInRepair, KIND_OF, type Plant } from "./plants.ts";
import { type DayRow, gridOf, type RegionDay, type RowSupply } from "./rows.ts";
import type { ModelUnit } from "./units.ts";

/** MW of output by kind of firm plant. */
export interface Dispatch extends Readonly<Record<FirmKind, DayRow>> {
  /** The curtailed shares of the available wind and solar. */
  readonly cut: Readonly<Record<FarmKind, DayRow>>;
}

const COAL_CEILING = 0.94;
/** Above these shares of capacity, transmission is constrained. */
const LINE_LIMITS = { wind: 0.82, solar: 0.9 };
const LINE_LOSS = 0.3;

/**
 * Coal runs between its floor and ceiling, hydro and gas share the rest; below coal's floor, wind and solar are
 * curtailed.
 */
export function computeDispatch({ rows }: RegionDay, { capacity, farms }: Plant, load: DayRow): Dispatch {
  const [coal, hydro, rest] = [rows.take(), rows.take(), rows.take()];
  const cut = { wind: rows.take(), solar: rows.take() };
  const hydroShare = capacity.hydro / Math.max(1, capacity.firm - capacity.coal - capacity.bioenergy);
  for (let i = 0; i < load.length; i++) {
    const base = Math.min(COAL_CEILING * capacity.coal, Math.max(COAL_FLOOR * capacity.coal, 0.9 * load[i]!));
    const beyond = Math.max(0, load[i]! - base);
    coal[i] = base;
    hydro[i] = Math.min(0.95 * capacity.hydro, beyond * hydroShare);
    rest[i] = beyond - hydro[i]!;
    const [wind, solar] = [farms.wind[i]!, farms.solar[i]!];
    const surplus = Math.min(1, Math.max(0, base - load[i]!) / Math.max(1, wind + solar));
    cut.wind[i] = Math.max(surplus, lostOnLines(wind, LINE_LIMITS.wind * capacity.wind));
    cut.solar[i] = Math.max(surplus, lostOnLines(solar, LINE_LIMITS.solar * capacity.solar));
  }
  return {
    coal,
    hydro,
    bioenergy: rows.take().fill(BIOENERGY_USE * capacity.bioenergy),
    ...dispatchGas(rest, capacity, rows),
    cut,
  };
}

function lostOnLines(available: number, limit: number): number {
  return available > limit ? (LINE_LOSS * (available - limit)) / available : 0;
}

/** Gas and oil in the order of dispatch. */
function dispatchGas(load: DayRow, capacity: Plant["capacity"], rows: RowSupply) {
  const gas = { ccgt: rows.take(), steam: rows.take(), ocgt: rows.take(), oil: rows.take() };
  for (const kind of ["ccgt", "steam", "ocgt", "oil"] as const) {
    const output = gas[kind];
    const limit = 0.97 * capacity[kind];
    for (let i = 0; i < output.length; i++) {
      output[i] = Math.min(load[i]!, limit);
      load[i]! -= output[i]!;
    }
  }
  return gas;
}

/**
 * Energy of a unit per interval, on the integer grid; not for rooftop solar. Charging is positive for the charging unit
 * and negative for the net unit.
 */
export function computeOutput(
  unit: ModelUnit,
  model: RegionDay & { readonly plant: Plant; readonly dispatch: Dispatch },
): DayRow {
  const { plant, day, rows } = model;
  const stored = plant.batteries.get(unit.facility)?.[unit.fueltech];
  if (stored) return stored;
  const output = rows.take();
  const kind = KIND_OF[unit.fueltech];
  if (kind === undefined || isInRepair(unit, day)) return output;
  if (kind === "wind" || kind === "solar") {
    const available = plant.farms.outputs.get(unit.code)!;
    const cut = model.dispatch.cut[kind];
    for (let i = 0; i < output.length; i++) output[i] = gridOf(available[i]! * (1 - cut[i]!));
    return output;
  }
  const { megawatts } = unit;
  const share = megawatts / Math.max(1, plant.capacity[kind]);
  const ofKind = model.dispatch[kind];
  const jitter = jitterOf(unit, day);
  for (let i = 0; i < output.length; i++) output[i] = gridOf(Math.min(megawatts, ofKind[i]! * share * jitter[i]!));
  return output;
}

/**
 * Variation of a unit, a few percent around 1. A slice of shared noise: computing noise for each unit would dominate
 * the cost.
 */
function jitterOf(unit: ModelUnit, day: number): DayRow {
  const start = Math.floor(hashUnit(unit.seed, day) * (JITTER.length - STEPS_PER_DAY));
  return JITTER.subarray(start, start + STEPS_PER_DAY);
}

const JITTER = addNoise(new Float64Array(16 * STEPS_PER_DAY).fill(1), 0, {
  seed: seedOf("jitter"),
  period: 11,
  amplitude: 0.02,
});
