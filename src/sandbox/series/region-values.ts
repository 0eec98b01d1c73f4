import type { Metric } from "../../base/vocabulary.ts";
import { type StepRange, STEPS_PER_DAY } from "../model/clock.ts";
import { addRow, type DayRow } from "../model/rows.ts";
import type { SystemDay } from "../model/system.ts";
import { isRenewable, UNITS_OF_REGION } from "../model/units.ts";
import { addUnit } from "./unit-values.ts";
import { type DayValues, intervalsOf } from "./series.ts";

/** Additive quantities of a region, in integers of 0.0001 MWh per interval. */
export type Quantity =
  | "demand"
  | "demand_gross"
  | "generation_renewable"
  | "generation_renewable_with_storage"
  | "curtailment"
  | "curtailment_solar_utility"
  | "curtailment_wind"
  | "flow_imports"
  | "flow_exports";

const SHARES: Partial<Record<Metric, Quantity>> = {
  renewable_proportion: "generation_renewable",
  renewable_with_storage_proportion: "generation_renewable_with_storage",
};

/** 100 %, in the 0.0001 % of measures.ts. */
const WHOLE = 1_000_000;

/** A region, and when it has data. */
export interface OpenRegion {
  /** In REGIONS. */
  readonly index: number;
  readonly span: StepRange;
}

/** A day, and the values to add to. */
interface Target {
  readonly day: SystemDay;
  readonly into: DayValues;
}

/** Adds the day's values of a market metric, summed over regions. */
export function fillRegions(regions: readonly OpenRegion[], metric: Metric, target: Target): void {
  const share = SHARES[metric];
  if (metric === "price") return fillPrice(regions, target);
  if (share !== undefined) return fillShare(regions, share, target);
  for (const region of regions) addQuantity(region, metric.replace(/_energy$/, "") as Quantity, target);
}

function addQuantity({ index, span }: OpenRegion, quantity: Quantity, target: Target): void {
  const { day, into } = target;
  const { from, to } = intervalsOf(span, day.day);
  const row = readQuantity(index, quantity, day);
  for (let i = from; i < to; i++) {
    into.values[i]! += row[i]!;
    into.present[i] = 1;
  }
}

/** The price of several regions is their mean, weighted by gross demand (which, unlike demand, is never below 0). */
function fillPrice(regions: readonly OpenRegion[], target: Target): void {
  const { day, into } = target;
  const weights = emptyRow();
  for (const { index, span } of regions) {
    const price = day.price(index);
    const gross = day.gross(index);
    const { from, to } = intervalsOf(span, day.day);
    for (let i = from; i < to; i++) {
      into.values[i]! += price[i]! * gross[i]!;
      weights[i]! += gross[i]!;
      into.present[i] = 1;
    }
  }
  for (let i = 0; i < STEPS_PER_DAY; i++) if (into.present[i]) into.values[i] = Math.round(into.values[i]! / weights[i]!);
}

function fillShare(regions: readonly OpenRegion[], quantity: Quantity, target: Target): void {
  const gross = { values: emptyRow(), present: new Uint8Array(STEPS_PER_DAY) };
  for (const region of regions) {
    addQuantity(region, quantity, target);
    addQuantity(region, "demand_gross", { day: target.day, into: gross });
  }
  const { values, present } = target.into;
  for (let i = 0; i < STEPS_PER_DAY; i++) if (present[i]) values[i] = Math.round((WHOLE * values[i]!) / gross.values[i]!);
}

function readQuantity(region: number, quantity: Quantity, day: SystemDay): DayRow {
  switch (quantity) {
    case "demand":
      return day.demand(region);
    case "demand_gross":
      return day.gross(region);
    case "flow_imports":
      return day.flows(region).imports;
    case "flow_exports":
      return day.flows(region).exports;
    case "curtailment_solar_utility":
      return day.curtailed(region, "solar");
    case "curtailment_wind":
      return day.curtailed(region, "wind");
    case "curtailment":
      return addRow(day.curtailed(region, "solar"), day.curtailed(region, "wind"));
    case "generation_renewable":
      return sumUnits(region, day, []);
    case "generation_renewable_with_storage":
      return sumUnits(region, day, ["battery_discharging"]);
  }
}

function sumUnits(region: number, day: SystemDay, besides: readonly string[]): DayRow {
  const into = { values: emptyRow(), present: new Uint8Array(STEPS_PER_DAY) };
  for (const unit of UNITS_OF_REGION[region]!) {
    if (isRenewable(unit) || besides.includes(unit.fueltech)) addUnit(unit, "energy", { day, into });
  }
  return into.values;
}

function emptyRow(): DayRow {
  return new Float64Array(STEPS_PER_DAY);
}
