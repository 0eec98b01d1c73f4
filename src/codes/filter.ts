import type { FilterValues } from "../options/list-options.ts";
import type { Facility, Unit } from "./facility.ts";

/** What a list is narrowed to; an empty list, or none, is everything. */
export interface Filter {
  readonly networks?: readonly string[] | undefined;
  readonly regions?: readonly string[] | undefined;
  readonly fueltechs?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
}

/** The filter that the flags of a list or a query name. */
export function toFilter({ network, networkRegion, fueltech, status }: FilterValues): Filter {
  return { networks: network, regions: networkRegion, fueltechs: fueltech, statuses: status };
}

/** Facilities with the units that match; those that have none are left out. Codes match in any case. */
export function filterFacilities(facilities: readonly Facility[], { networks, regions, fueltechs, statuses }: Filter): Facility[] {
  const isWanted = ({ fueltech, status }: Unit) => matches(fueltechs, fueltech) && matches(statuses, status);
  return facilities
    .filter(({ network, region }) => matches(networks, network) && matches(regions, region))
    .map((facility) => ({ ...facility, units: facility.units.filter(isWanted) }))
    .filter(({ units }) => units.length > 0);
}

function matches(wanted: readonly string[] | undefined, value: string | undefined): boolean {
  if (wanted === undefined || wanted.length === 0) return true;
  return value !== undefined && wanted.some((one) => one.toLowerCase() === value.toLowerCase());
}
