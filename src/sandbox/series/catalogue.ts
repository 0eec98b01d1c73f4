import { FUELTECH_GROUP_OF, isRenewable } from "../../base/fueltechs.ts";
import { isForecast, type Metric } from "../../base/vocabulary.ts";
import { type Region, REGIONS } from "../fleet/regions.ts";
import type { DataRequest } from "../http/request.ts";
import { clipSpans, stepOfInstant, type StepRange, stepsOfDates } from "../model/clock.ts";
import { type ModelUnit, UNITS } from "../model/units.ts";
import { findNewestRun, forecastSpan } from "./forecast.ts";
import { addUnit, fillForecast, fillRegions } from "./region-values.ts";
import type { SandboxSeries } from "./series.ts";

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
