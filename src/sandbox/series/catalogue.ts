import { FUELTECH_GROUP_OF } from "../../base/fueltechs.ts";
import { type Metric, NETWORKS, type SECONDARY_GROUPINGS } from "../../base/vocabulary.ts";
import { REGIONS } from "../fleet/regions.ts";
import { type Step, stepOfInstant } from "../model/clock.ts";
import { countsInTotal, isRenewable, type ModelUnit, REGION_STARTS, UNITS } from "../model/units.ts";
import type { DataRequest } from "../request/request.ts";
import { fillRegions, type OpenRegion } from "./region-values.ts";
import { clipSpans, type SandboxSeries } from "./series.ts";
import { addUnit } from "./unit-values.ts";

type SecondaryGrouping = (typeof SECONDARY_GROUPINGS)[number];

/** All series of the request, with or without points in the window. Nothing is newer than `now`. */
export function listSeries(request: DataRequest, now: number): SandboxSeries[] {
  if (request.command === "market") {
    const parts = partitionRegions(request, now);
    return request.metrics.flatMap((metric) => parts.map((part) => regionSeries(metric, part)));
  }
  const units = UNITS.filter((unit) => isAskedFor(unit, request)).map((unit) => endUnit(unit, now));
  return request.metrics.flatMap((metric) => {
    const measured = metric === "storage_battery" ? units.filter((unit) => unit.fueltech === "battery") : units;
    return listUnitSeries(metric, measured, request);
  });
}

function listUnitSeries(metric: Metric, units: readonly ModelUnit[], request: DataRequest): SandboxSeries[] {
  if (request.command === "facilities") {
    const published = units.filter((unit) => unit.facility !== undefined);
    if (request.facilityCodes === undefined) return unlabelledSeries(metric, published);
    return published.map((unit) => unitSeries(metric, { label: unit.code, columns: { unit_code: unit.code }, units: [unit] }));
  }
  return groupUnits(units, request).map((group) => unitSeries(metric, group));
}

/** Without `facility_code` the units are not told apart (in-practice.md, "The TimeSeries item"). */
function unlabelledSeries(metric: Metric, units: readonly ModelUnit[]): SandboxSeries[] {
  const keyOf = (unit: ModelUnit) => `${unit.facility?.code}\n${unit.code}`;
  const ordered = units.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return ordered.map((unit) => unitSeries(metric, { label: "total", columns: {}, units: [unit] }));
}

interface UnitGroup {
  readonly label: string;
  readonly columns: Record<string, string | boolean>;
  readonly units: ModelUnit[];
}

function groupUnits(units: readonly ModelUnit[], request: DataRequest): UnitGroup[] {
  const groups = new Map<string, UnitGroup>();
  const { secondary } = request;
  const halves = secondary === "fueltech" || secondary === "fueltech_group";
  for (const unit of units) {
    if (!halves && !countsInTotal(unit)) continue;
    const columns = {
      ...(request.primary === "network_region" ? { region: REGIONS[unit.region]!.code } : {}),
      ...(secondary === undefined ? {} : { [secondary]: labelOf(unit, secondary) }),
    };
    const label = Object.values(columns).map(nameOf).join("|") || "total";
    const group: UnitGroup = groups.get(label) ?? { label, columns, units: [] };
    group.units.push(unit);
    groups.set(label, group);
  }
  return [...groups.values()];
}

function labelOf(unit: ModelUnit, grouping: SecondaryGrouping): string | boolean {
  switch (grouping) {
    case "fueltech":
      return unit.fueltech;
    case "fueltech_group":
      return FUELTECH_GROUP_OF[unit.fueltech] ?? unit.fueltech;
    case "status":
      // Commissioning is derived in /v4/facilities/ alone.
      return unit.status === "commissioning" ? "operating" : unit.status;
    case "renewable":
      return isRenewable(unit);
  }
}

/** As Python writes it, in which the public service is written. */
function nameOf(value: string | boolean): string {
  if (typeof value === "string") return value;
  return value ? "True" : "False";
}

function isAskedFor(unit: ModelUnit, request: DataRequest): boolean {
  const group = FUELTECH_GROUP_OF[unit.fueltech];
  const wanted =
    isWithin(unit.region, request) &&
    (unit.facility !== undefined || hasRooftop(unit.region, request)) &&
    (request.fueltechs?.includes(unit.fueltech) ?? true) &&
    (request.fueltechGroups === undefined || (group !== null && request.fueltechGroups.includes(group)));
  const listed = (request.unitCodes?.includes(unit.code) ?? true) && (request.facilityCodes?.includes(unit.facility?.code ?? "") ?? true);
  return wanted && listed;
}

/** The public service has the rooftop solar of the WEM in the WEM, and not in AU. */
function hasRooftop(region: number, request: DataRequest): boolean {
  return REGIONS[region]!.network === "NEM" || request.network !== "AU";
}

function endUnit(unit: ModelUnit, now: number): ModelUnit {
  return { ...unit, spans: clipSpans(unit.spans, { first: unit.first, last: newestOf(unit.region, now) }) };
}

/** The interval under way by the clock of the region's network: in AU, the WEM ends two hours before the NEM. */
function newestOf(region: number, now: number): Step {
  return stepOfInstant(now, REGIONS[region]!.network);
}

/** A region belongs to its own network, and to AU. */
function isWithin(region: number, request: DataRequest): boolean {
  const { network, code } = REGIONS[region]!;
  return (request.network === "AU" || request.network === network) && (request.region ?? code) === code;
}

interface RegionPart {
  readonly label: string;
  readonly columns: Record<string, string | boolean>;
  readonly regions: readonly OpenRegion[];
}

function partitionRegions(request: DataRequest, now: number): RegionPart[] {
  const asked = REGIONS.map((_, index) => index).filter((index) => isWithin(index, request));
  const regions = asked.map((index) => ({ index, span: { first: REGION_STARTS[index]!, last: newestOf(index, now) } }));
  if (request.primary === "network") return [{ label: "total", columns: {}, regions }];
  return regions.map((region) => {
    const { code } = REGIONS[region.index]!;
    return { label: code, columns: { region: code }, regions: [region] };
  });
}

/** The WEM has no interconnector, hence no flows. */
function regionSeries(metric: Metric, part: RegionPart): SandboxSeries {
  const regions = metric.startsWith("flow_") ? part.regions.filter(({ index }) => REGIONS[index]!.network === "NEM") : part.regions;
  return { ...part, spans: regions.map(({ span }) => span), metric, fill: (day, into) => fillRegions(regions, metric, { day, into }) };
}

function unitSeries(metric: Metric, group: UnitGroup): SandboxSeries {
  const fill: SandboxSeries["fill"] = (day, into) => {
    for (const unit of group.units) addUnit(unit, metric, { day, into });
  };
  return { metric, label: group.label, columns: group.columns, spans: group.units.flatMap((unit) => unit.spans), fill };
}

/** The offset of a response's timestamps. */
export function offsetOf(request: DataRequest): number {
  return NETWORKS[request.network].offsetMinutes;
}
