import { FUELTECH_GROUP_OF, isRenewable, type Fueltech } from "../../base/fueltechs.ts";
import { isForecast, type Metric } from "../../base/vocabulary.ts";
import { type Region, REGIONS } from "../fleet/regions.ts";
import type { DataRequest } from "../http/request.ts";
import {
  clipSpans,
  stepOfInstant,
  type StepRange,
  stepsOfDates,
  intervalsOf,
  type Step,
  STEPS_PER_DAY,
} from "../model/clock.ts";
import { type ModelUnit, UNITS } from "../model/units.ts";
import { findNewestRun, forecastSpan, forecastRooftop } from "./forecast.ts";
import { type SandboxSeries, createDayValues, type DayValues } from "./series.ts";
import { addRow, type DayRow } from "../model/rows.ts";
import type { RegionModel, SystemDay } from "../model/system.ts";

/** All series of the request, with or without points in the window. None has data after `now`. */
export function listSeries(request: DataRequest, now: number): SandboxSeries[] {
  const list = request.command === "market" ? listRegionSeries : listUnitSeries;
  return request.metrics.flatMap((metric) => list(metric, request, now));
}

function listRegionSeries(metric: Metric, request: DataRequest, now: number): SandboxSeries[] {
  const newest = isForecast(metric) ? findNewestRun(now) : undefined;
  const regions = REGIONS.filter((region) => isWithin(region, request) && hasMetric(region, metric)).map((region) => {
    const [first, last] = stepsOfDates({ from: region.from });
    return { region, spans: newest === undefined ? endSpans([{ first, last }], region, now) : [forecastSpan(newest)] };
  });
  const groups = groupByColumns(regions, ({ region }) =>
    request.primary === "network" ? {} : { region: region.code },
  );
  return groups.map(({ parts, ...labels }) => ({
    ...labels,
    metric,
    spans: parts.flatMap(({ spans }) => spans),
    fill: (day, into) => {
      if (newest === undefined) fillRegions(parts, metric, { day, into });
      else fillForecast(parts, newest, { day, into });
    },
  }));
}

/** The WEM has no interconnector, so it has no flows, and no forecasts. */
function hasMetric(region: Region, metric: Metric): boolean {
  return region.network !== "WEM" || !(metric.startsWith("flow_") || isForecast(metric));
}

function listUnitSeries(metric: Metric, request: DataRequest, now: number): SandboxSeries[] {
  const requested = UNITS.filter(
    (unit) => isRequested(unit, request) && (metric !== "storage_battery" || unit.fueltech === "battery"),
  );
  const units = requested.map((unit) => ({ ...unit, spans: endSpans(unit.spans, unit.region, now) }));
  return groupUnits(units, request).map(({ parts, ...labels }) => ({
    ...labels,
    metric,
    spans: parts.flatMap(({ spans }) => spans),
    fill: (day, into) => {
      for (const unit of parts) addUnit(unit, metric, { day, into });
    },
  }));
}

function groupUnits(units: readonly ModelUnit[], request: DataRequest): Group<ModelUnit>[] {
  const { command, facilityCodes, primary, secondary } = request;
  if (command !== "facilities") {
    return groupByColumns(units, (unit) => ({
      ...(primary === "network_region" ? { region: unit.region.code } : {}),
      ...(secondary === undefined ? {} : { [secondary]: LABELS[secondary](unit) }),
    }));
  }
  if (facilityCodes !== undefined) return groupByColumns(units, (unit) => ({ unit_code: unit.code }));
  // Without `facility_code`, the response does not identify units.
  const keyOf = (unit: ModelUnit) => `${unit.facility?.code}\n${unit.code}`;
  const ordered = units.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return ordered.map((unit) => ({ label: "total", columns: {}, parts: [unit] }));
}

const LABELS: Readonly<Record<NonNullable<DataRequest["secondary"]>, (unit: ModelUnit) => string | boolean>> = {
  fueltech: (unit) => unit.fueltech,
  fueltech_group: (unit) => FUELTECH_GROUP_OF[unit.fueltech] ?? unit.fueltech,
  // Only /v4/facilities/ has the derived status `commissioning`.
  status: (unit) => (unit.status === "commissioning" ? "operating" : unit.status),
  renewable: ({ fueltech }) => isRenewable(fueltech),
};

interface Group<T> extends Pick<SandboxSeries, "label" | "columns"> {
  readonly parts: T[];
}

function groupByColumns<T>(parts: readonly T[], columnsOf: (part: T) => SandboxSeries["columns"]): Group<T>[] {
  const groups = new Map<string, Group<T>>();
  for (const part of parts) {
    const columns = columnsOf(part);
    const label = Object.values(columns).map(printLabel).join("|") || "total";
    const group = groups.get(label) ?? { label, columns, parts: [] };
    group.parts.push(part);
    groups.set(label, group);
  }
  return [...groups.values()];
}

/** Writes booleans as in Python, like the public service. */
function printLabel(value: string | boolean): string {
  if (typeof value === "string") return value;
  return value ? "True" : "False";
}

function isRequested(unit: ModelUnit, request: DataRequest): boolean {
  return (
    isWithin(unit.region, request) &&
    (unit.facility !== undefined || hasRooftop(unit.region, request)) &&
    (!BATTERY_HALVES.has(unit.fueltech) || hasBatteryHalves(request)) &&
    isListed(unit.fueltech, request.fueltechs) &&
    isListed(FUELTECH_GROUP_OF[unit.fueltech], request.fueltechGroups) &&
    isListed(unit.facility?.code, request.facilityCodes) &&
    isListed(unit.code, request.unitCodes)
  );
}

/** A region belongs to its own network, and to AU. */
function isWithin({ network, code }: Region, request: DataRequest): boolean {
  return (request.network === "AU" || request.network === network) && (request.region ?? code) === code;
}

/** Rooftop solar belongs to no facility. The public service includes that of the WEM in WEM, but not in AU. */
function hasRooftop(region: Region, { command, network }: DataRequest): boolean {
  return command === "network" && (region.network === "NEM" || network !== "AU");
}

const BATTERY_HALVES: ReadonlySet<string> = new Set(["battery_charging", "battery_discharging"]);

/** True if charging and discharging units are included; otherwise only the net unit of a battery is. */
function hasBatteryHalves({ command, secondary }: DataRequest): boolean {
  return command === "facilities" || secondary === "fueltech" || secondary === "fueltech_group";
}

function isListed(value: string | null | undefined, list: readonly string[] | undefined): boolean {
  return list === undefined || list.includes(value ?? "");
}

/** Ends spans at the current interval of the region's network: in AU, the WEM ends two hours before the NEM. */
function endSpans(spans: readonly StepRange[], region: Region, now: number): StepRange[] {
  return clipSpans(spans, { first: 0, last: stepOfInstant(now, region.network) });
}

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
function fillRegions(regions: readonly OpenRegion[], metric: Metric, target: Target): void {
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
function fillForecast(regions: readonly OpenRegion[], newest: Step, target: Target): void {
  const { day } = target.day;
  const forecast: Quantity = ({ region, demand }) => forecastRooftop(region, demand.rooftop, { day, newest });
  addRegions(regions, forecast, target);
}

/** Adds a unit's values of the day, rounded per unit, so that a group is exactly the sum of its units. */
function addUnit(unit: ModelUnit, metric: Metric, target: Target): void {
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
