import { type Fueltech, isRenewable } from "../../base/fueltechs.ts";
import type { Metric } from "../../base/vocabulary.ts";
import type { Region } from "../fleet/regions.ts";
import { intervalsOf, type Step, type StepRange, STEPS_PER_DAY } from "../model/clock.ts";
import { addRow, type DayRow } from "../model/rows.ts";
import type { RegionModel, SystemDay } from "../model/system.ts";
import type { ModelUnit } from "../model/units.ts";
import { forecastRooftop } from "./forecast.ts";
import { createDayValues, type DayValues } from "./series.ts";

type Quantity = (region: RegionModel) => DayRow;

type UnitMetric = "power" | "energy" | "market_value" | "emissions" | "pollution" | "storage_battery";
type ForecastMetric = Extract<Metric, `${string}_forecast`>;
type AveragedMetric = "price" | "renewable_proportion" | "renewable_with_storage_proportion";
/** A metric and the same as energy are one quantity. */
type QuantityName<Name> = Name extends `${infer Power}_energy` ? Power : Name;

/** Additive quantities of a region, in integers of 0.0001 MWh per interval. */
const TOTALS: Readonly<Record<string, Quantity>> = {
  demand: (region) => region.demand.net,
  demand_gross: (region) => region.demand.gross,
  generation_renewable: (region) => sumRenewables(region),
  generation_renewable_with_storage: (region) => sumRenewables(region, "battery_discharging"),
  curtailment: (region) => addRow(region.curtailed("solar"), region.curtailed("wind")),
  curtailment_solar_utility: (region) => region.curtailed("solar"),
  curtailment_wind: (region) => region.curtailed("wind"),
  flow_imports: (region) => region.flow(1),
  flow_exports: (region) => region.flow(-1),
} satisfies Record<QuantityName<Exclude<Metric, UnitMetric | AveragedMetric | ForecastMetric>>, Quantity>;

/** 100 % as an integer, in units of 0.0001 %. */
const WHOLE = 1_000_000;

/**
 * Metrics averaged over regions, multiplied here by gross demand as their weight; `fillRegions` divides by the sum of
 * the weights. Net demand cannot be the weight, as it may be negative.
 */
const PER_GROSS_DEMAND: Readonly<Partial<Record<Metric, Quantity>>> = {
  price: ({ price, demand }) => price.map((cents, i) => cents * demand.gross[i]!),
  renewable_proportion: (region) => sumRenewables(region).map((energy) => WHOLE * energy),
  renewable_with_storage_proportion: (region) =>
    sumRenewables(region, "battery_discharging").map((energy) => WHOLE * energy),
} satisfies Record<AveragedMetric, Quantity>;

function sumRenewables(region: RegionModel, storage?: Fueltech): DayRow {
  const sum = new Float64Array(STEPS_PER_DAY);
  for (const unit of region.plant.units)
    if (isRenewable(unit.fueltech) || unit.fueltech === storage) addRow(sum, region.output(unit));
  return sum;
}

/** A region and its periods with data. */
interface OpenRegion {
  readonly region: Region;
  readonly spans: readonly StepRange[];
}

/** A day and the values to add to. */
interface Target {
  readonly day: SystemDay;
  readonly into: DayValues;
}

/** Adds the day's values of a market metric for several regions, summed or averaged. */
export function fillRegions(regions: readonly OpenRegion[], metric: Metric, target: Target): void {
  const weighted = PER_GROSS_DEMAND[metric];
  addRegions(regions, weighted ?? TOTALS[metric.replace(/_energy$/, "")]!, target);
  if (weighted === undefined) return;
  const gross = createDayValues();
  addRegions(regions, (region) => region.demand.gross, { day: target.day, into: gross });
  const { values, present } = target.into;
  for (let i = 0; i < STEPS_PER_DAY; i++) if (present[i]) values[i] = Math.round(values[i]! / gross.values[i]!);
}

function addRegions(regions: readonly OpenRegion[], quantity: Quantity, target: Target): void {
  for (const { region, spans } of regions) addSpans(spans, () => quantity(target.day.region(region.code)), target);
}

/** Adds the day's forecast for several regions, as it is after the run `newest`. */
export function fillForecast(regions: readonly OpenRegion[], newest: Step, target: Target): void {
  const { day } = target.day;
  const forecast: Quantity = ({ region, demand }) => forecastRooftop(region, demand.rooftop, { day, newest });
  addRegions(regions, forecast, target);
}

/** Adds a unit's values of the day, rounded per unit, so that a group is exactly the sum of its units. */
export function addUnit(unit: ModelUnit, metric: Metric, target: Target): void {
  addSpans(unit.spans, () => readUnit(unit, metric, target.day.region(unit.region.code)), target);
}

function addSpans(spans: readonly StepRange[], read: () => DayRow, { day, into }: Target): void {
  const today = spans.map((span) => intervalsOf(span, day.day)).filter(({ from, to }) => from < to);
  if (today.length === 0) return;
  const row = read();
  for (const { from, to } of today) {
    for (let i = from; i < to; i++) into.values[i]! += row[i]!;
    into.present.fill(1, from, to);
  }
}

/** Tonnes of CO2 equivalent per MWh; others are 0. */
export const EMISSION_FACTORS: Partial<Record<Fueltech, number>> = {
  coal_black: 0.89,
  coal_brown: 1.18,
  distillate: 0.78,
  gas_ccgt: 0.39,
  gas_ocgt: 0.6,
  gas_recip: 0.52,
  gas_steam: 0.57,
  gas_wcmg: 0.51,
};

const CENTS_PER_GRID = 1e-4;

function readUnit(unit: ModelUnit, metric: Metric, region: RegionModel): DayRow {
  if (metric === "storage_battery") return region.plant.batteries.get(unit.facility)!.level;
  const output = region.output(unit);
  if (metric !== "emissions" && metric !== "market_value") return output;
  const values = new Float64Array(STEPS_PER_DAY);
  if (metric === "emissions") {
    const factor = EMISSION_FACTORS[unit.fueltech] ?? 0;
    for (let i = 0; i < values.length; i++) values[i] = Math.round(output[i]! * factor);
  } else {
    const { price } = region;
    for (let i = 0; i < values.length; i++) values[i] = Math.round(output[i]! * price[i]! * CENTS_PER_GRID);
  }
  return values;
}
