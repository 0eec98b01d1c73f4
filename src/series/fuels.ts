/** Finds the fueltech of each series, so that loads are told from generation and no energy counts twice. */
import { BATTERY, roleOf } from "../base/fueltechs.ts";
import { isRatio } from "../base/computed-metrics.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import { findFuel, type Series, type TimeSeries } from "./time-series.ts";

export interface FuelSource {
  readonly item: TimeSeries;
  readonly series: Series;
  /** The fueltech or its group, if known. */
  readonly fuel?: string | undefined;
  /** Shared by the charging, discharging and net series of a battery. */
  readonly plant?: string;
  /** True for a unit that is not in the list: it may be a load, or the net of two other units. */
  readonly isUnknown?: boolean;
}

/** Facility, fueltech and region of each unit, by its code. */
export type UnitFacts = ReadonlyMap<string, UnitFact>;

interface UnitFact {
  /** The facility's code. */
  readonly facility: string;
  readonly facilityName?: string | undefined;
  readonly fueltech: string | undefined;
  readonly region?: string | undefined;
}

const HALVES = [BATTERY.charging, BATTERY.discharging];

/** Finds fueltechs from labels, or from the list of units. */
export function findFuels(sources: readonly FuelSource[], units: UnitFacts | undefined): FuelSource[] {
  return sources.map((source): FuelSource => {
    const { labels } = source.series;
    const facts = Object.hasOwn(labels, UNIT_LABEL) ? units?.get(String(labels[UNIT_LABEL])) : undefined;
    const fuel = findFuel(source.series) ?? facts?.fueltech;
    const isUnknown = typeof fuel !== "string" && facts === undefined && Object.hasOwn(labels, UNIT_LABEL);
    return {
      ...source,
      fuel: typeof fuel === "string" ? fuel : undefined,
      plant: facts?.facility ?? plantKey(source),
      isUnknown,
    };
  });
}

/** Identifies the plant of a series: series that differ only in fueltech belong to the same one. */
function plantKey({ series: { labels } }: FuelSource): string {
  return JSON.stringify(Object.entries(labels).filter(([name]) => name !== "fueltech" && name !== "fueltech_group"));
}

/** What follows "no total" or "not stacked": the units may be batteries, whose net would count twice, or loads. */
export const UNKNOWN_UNITS = "fueltechs of the units are unknown; 'ents list units' fetches them";

/**
 * Leaves out the net of a battery beside what it charges and discharges, which would count twice. Ratios do not add up
 * at all.
 */
export function leaveOutDoubles(sources: readonly FuelSource[]): readonly FuelSource[] {
  const has = new Set(sources.map(nameIn));
  return sources.filter((source) => {
    const isDouble = source.fuel === BATTERY.net && HALVES.every((half) => has.has(nameIn({ ...source, fuel: half })));
    return !isDouble || isRatio(source.item.metric);
  });
}

function nameIn({ item, plant, fuel }: FuelSource): string {
  return JSON.stringify([item.metric, plant, fuel]);
}

/**
 * True if a source takes power from the network; services send its values as positive numbers. Few need their values
 * read.
 */
export function isLoad(source: FuelSource, readValues: () => Float64Array): boolean {
  const { item, fuel } = source;
  const isLoadOf =
    item.metric.startsWith("flow_exports") ||
    (FLOWS.includes(item.metric) && fuel !== "imports" && roleOf(fuel) === "load");
  return isLoadOf && readValues().reduce((sum, value) => sum + (value || 0), 0) > 0;
}

/** Metrics of which loads are the opposite of generation. */
const FLOWS: readonly string[] = ["power", "energy", "market_value"];
