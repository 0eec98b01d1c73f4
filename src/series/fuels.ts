/** Finds the fueltech of each series, so that loads are told from generation and no energy counts twice. */
import { BATTERY } from "../base/fueltechs.ts";
import { groupBy } from "../base/group-by.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import { isSame, type NumberLine, readNumberLine } from "./number-line.ts";
import { findFuel, type Series, type TimeSeries } from "./time-series.ts";

export interface FuelSource {
  readonly item: TimeSeries;
  readonly series: Series;
  /** The fueltech or its group, if known. */
  readonly fuel?: string | undefined;
  /** Shared by the charging, discharging and net series of a battery. */
  readonly plant?: string;
}

/** Facility and fueltech of each unit, by its code. */
export type UnitFacts = ReadonlyMap<string, { readonly facility: string; readonly fueltech: string | undefined }>;

const { net: NET, charging: CHARGING, discharging: DISCHARGING } = BATTERY;

/** Finds fueltechs from labels, from the list of units, or from the values of a battery's three units. */
export function findFuels(sources: readonly FuelSource[], units: UnitFacts | undefined): FuelSource[] {
  const known = sources.map((source): FuelSource => {
    const { labels } = source.series;
    const facts = Object.hasOwn(labels, UNIT_LABEL) ? units?.get(String(labels[UNIT_LABEL])) : undefined;
    const fuel = findFuel(source.series) ?? facts?.fueltech;
    return { ...source, fuel: typeof fuel === "string" ? fuel : undefined, plant: facts?.facility ?? plantKey(source) };
  });
  const batteries = new Map(findBatteries(known.filter(isUnknownUnit)).flatMap((battery) => [...battery]));
  return known.map((source) => ({ ...source, ...batteries.get(source) }));
}

export function isUnknownUnit({ fuel, series: { labels } }: FuelSource): boolean {
  return fuel === undefined && Object.hasOwn(labels, UNIT_LABEL);
}

/** Identifies the plant of a series: series that differ only in fueltech belong to the same one. */
function plantKey({ series: { labels } }: FuelSource): string {
  return JSON.stringify(Object.entries(labels).filter(([name]) => name !== "fueltech" && name !== "fueltech_group"));
}

type Battery = ReadonlyMap<FuelSource, Required<Pick<FuelSource, "fuel" | "plant">>>;

/** Finds batteries: three units, where the first always equals the second (discharging) minus the third (charging). */
function findBatteries(sources: readonly FuelSource[]): Battery[] {
  const batteries: Battery[] = [];
  for (const ofMetric of groupBy(sources, ({ item }) => item.metric).values()) {
    const lines = ofMetric.map((source) => ({ source, ...readNumberLine(source.series.points) }));
    // Only a battery's net has both signs; without that, other units may add up by chance.
    const [nets, parts] = [lines.filter(hasBothSigns), lines.filter((line) => !hasBothSigns(line))];
    for (const net of nets) {
      const at = net.values.findIndex((value) => value > 0);
      const tied = parts.filter(({ times }) => isSame(times, net.times));
      const pairs = tied.flatMap((one) => tied.map((other) => [one, other] as const));
      const found = pairs.filter((pair) => {
        const isNetAt = (index: number) => isDifference([net, ...pair].map(({ values }) => values[index] as number));
        return pair[0] !== pair[1] && isNetAt(at) && net.values.every((_, index) => isNetAt(index));
      });
      // Of two solutions, neither is certain.
      const [pair] = found;
      if (pair && found.length === 1) batteries.push(nameUnits(net.source, pair[0].source, pair[1].source));
    }
  }
  return batteries;
}

function hasBothSigns({ values }: NumberLine): boolean {
  return values.some((value) => value > 0) && values.some((value) => value < 0);
}

function nameUnits(net: FuelSource, out: FuelSource, into: FuelSource): Battery {
  const plant = `the battery of ${String(net.series.labels[UNIT_LABEL])}`;
  return new Map([
    [net, { fuel: NET, plant }],
    [out, { fuel: DISCHARGING, plant }],
    [into, { fuel: CHARGING, plant }],
  ]);
}

/** Allows for rounding by the service. */
const TOLERANCE = 1e-6;

/** True if a net is discharging less charging, which services send with either sign. */
function isDifference([net = 0, out = 0, into = 0]: readonly number[]): boolean {
  const difference = out - Math.abs(into);
  return Math.abs(net - difference) <= TOLERANCE * (1 + Math.abs(net)) || (Number.isNaN(net) && Number.isNaN(difference));
}

/**
 * Leaves out what would count batteries twice if `battery`, charging and discharging of a plant are there: of power and energy, its
 * net; of other metrics, such as market value, the two parts, as only the net adds up.
 */
export function leaveOutDoubles(sources: readonly FuelSource[]): readonly FuelSource[] {
  const has = new Set(sources.map(nameIn));
  return sources.filter((source) => {
    const { fuel = "" } = source;
    const isTriple = [NET, CHARGING, DISCHARGING].every((one) => has.has(nameIn({ ...source, fuel: one })));
    const doubles: readonly string[] = isEnergy(source) ? [NET] : [CHARGING, DISCHARGING];
    return !isTriple || !doubles.includes(fuel);
  });
}

/** True if batteries count in the sum with their parts; of other metrics, only their net adds up. */
export function isEnergy({ item: { metric } }: FuelSource): boolean {
  return metric === "power" || metric === "energy";
}

function nameIn({ item, plant, fuel }: FuelSource): string {
  return JSON.stringify([item.metric, plant, fuel]);
}

/** True if a source takes power from the network; services send its values as positive numbers. Few need their values read. */
export function isLoad(source: FuelSource, readValues: () => Float64Array): boolean {
  const { item, fuel = "" } = source;
  const isLoadOf = item.metric.startsWith("flow_exports") || (isEnergy(source) && [CHARGING, "pumps", "exports"].includes(fuel));
  return isLoadOf && readValues().reduce((sum, value) => sum + (value || 0), 0) > 0;
}
