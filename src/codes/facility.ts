/** Facilities and their units, as a service lists them. */

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
  /** `operating`, `committed`, `commissioning` or `retired`, or what else the service says. */
  readonly status: string | undefined;
  /** MW, in the digits of the service. */
  readonly capacity: string | undefined;
  /** MWh that it holds, in the digits of the service; of batteries and pumped hydro. */
  readonly storage: string | undefined;
  /** When it has data: the service's timestamps, in network time. */
  readonly firstData: string | undefined;
  readonly lastData: string | undefined;
  /** Whether it takes power from the network. */
  readonly isLoad: boolean;
}

/** A unit with the facility that it belongs to. */
export interface PlacedUnit {
  readonly facility: Facility;
  readonly unit: Unit;
}

export function listUnits(facilities: readonly Facility[]): PlacedUnit[] {
  return facilities.flatMap((facility) => facility.units.map((unit) => ({ facility, unit })));
}

/**
 * MW of units that generate: those that charge a battery or pump water are its other side, and a `battery` beside its
 * discharging is both. Undefined where none is known.
 */
export function sumCapacity(units: readonly Unit[]): string | undefined {
  const isCounted = units.some(({ fueltech }) => fueltech === "battery_discharging");
  const known = units.filter(
    ({ capacity, isLoad, fueltech }) => capacity !== undefined && !isLoad && !(isCounted && fueltech === "battery"),
  );
  if (known.length === 0) return undefined;
  // A sum of a few decimals is written without the last digits that binary sums have.
  return String(Number(known.reduce((sum, { capacity }) => sum + Number(capacity), 0).toFixed(6)));
}

/** Distinct values in the order in which they first come. */
export function listDistinct(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
