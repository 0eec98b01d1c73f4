import type { FilterValues } from "../options/list-options.ts";
import { didYouMean, findNearest } from "../base/suggest.ts";
import { type Facility, listDistinct, type Unit } from "./facility.ts";
import { findFueltechs, findRegions } from "./nearest.ts";

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

/** One line for each value of a filter that nothing in the list has, with the nearest that are there. */
export function explainFilter(facilities: readonly Facility[], { networks, regions, fueltechs, statuses }: Filter): string[] {
  const units = facilities.flatMap((facility) => facility.units);
  return [
    ...listUnknown("network", networks, { known: facilities.map(({ network }) => network) }),
    ...listUnknown("region", regions, { known: facilities.map(({ region }) => region), find: findRegions }),
    ...listUnknown("fueltech", fueltechs, { known: units.map(({ fueltech }) => fueltech), find: findFueltechs }),
    ...listUnknown("status", statuses, { known: units.map(({ status }) => status) }),
  ];
}

interface Known {
  readonly known: readonly (string | undefined)[];
  readonly find?: (value: string, known: readonly string[]) => string[];
}

function listUnknown(kind: string, values: readonly string[] = [], { known, find = findNearest }: Known): string[] {
  const all = listDistinct(known);
  const isUnknown = (value: string) => !all.some((one) => one.toLowerCase() === value.toLowerCase());
  return values.filter(isUnknown).map((value) => `unknown ${kind} "${value}"${didYouMean(find(value, all))}`);
}

function matches(wanted: readonly string[] | undefined, value: string | undefined): boolean {
  if (wanted === undefined || wanted.length === 0) return true;
  return value !== undefined && wanted.some((one) => one.toLowerCase() === value.toLowerCase());
}
