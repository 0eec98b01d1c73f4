/** Facilities and their units, as a service lists them. */
import { BATTERY } from "../base/fueltechs.ts";

/** Facts that a list has beside the others: numbers and days. */
export const UNIT_FACTS = [
  "emissions_factor",
  "latitude",
  "longitude",
  "commenced",
  "closed",
  "expected_closure",
  "max_generation",
] as const;
type UnitFactName = (typeof UNIT_FACTS)[number];

export interface Facility {
  readonly code: string;
  readonly name: string;
  readonly network: string;
  readonly region: string | undefined;
  readonly units: readonly Unit[];
}

export interface Unit {
  readonly code: string;
  readonly fueltech: string | undefined;
  /** `operating`, `committed`, `commissioning`, `retired`, or another status of the service. */
  readonly status: string | undefined;
  /** Registered, in MW, with the digits that the service sent. */
  readonly capacity: string | undefined;
  /** The most that it may feed in, or feeds in, in MW. Solar farms are often registered larger, coal units smaller. */
  readonly capacityMaximum: string | undefined;
  /** Storage capacity in MWh, with the digits that the service sent; only for batteries and pumped hydro. */
  readonly storage: string | undefined;
  /** The first and last times with data: the service's timestamps, in network time. */
  readonly firstData: string | undefined;
  readonly lastData: string | undefined;
  /** By the names of columns, as texts. */
  readonly facts: Readonly<Partial<Record<UnitFactName, string>>>;
  /** True if it draws power from the network. */
  readonly isLoad: boolean;
}

export interface PlacedUnit {
  readonly facility: Facility;
  readonly unit: Unit;
}

export function listUnits(facilities: readonly Facility[]): PlacedUnit[] {
  return facilities.flatMap((facility) => facility.units.map((unit) => ({ facility, unit })));
}

/**
 * The capacity of generating units in MW, or of storage in MWh; undefined if none is known. Does not count a plant
 * twice: leaves out loads (charging, pumps), and `battery` units beside `battery_discharging` ones.
 */
export function sumCapacity(
  units: readonly Unit[],
  kind: "capacity" | "capacityMaximum" | "storage" = "capacity",
): string | undefined {
  const isCounted = units.some(({ fueltech }) => fueltech === BATTERY.discharging);
  const known = units.filter(
    (unit) => unit[kind] !== undefined && !unit.isLoad && !(isCounted && unit.fueltech === BATTERY.net),
  );
  if (known.length === 0) return undefined;
  // Removes the rounding error of binary fractions.
  return String(Number(known.reduce((sum, unit) => sum + Number(unit[kind]), 0).toFixed(6)));
}

export function listDistinct(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
