/** Filters facilities and units, and suggests values for unknown ones. */
import type { FilterValues } from "../options/list-options.ts";
import { findNearest } from "../base/nearest.ts";
import { findNetwork, REGION_NAMES } from "../base/vocabulary.ts";
import { type Facility, listDistinct, type Unit } from "./facility.ts";
import { FUELTECH_GROUP_OF, isGenericFueltech } from "../base/fueltechs.ts";

/** Filter values by flag; a missing or empty list matches everything. */
export type Filter = Partial<FilterValues>;

/**
 * Facilities with their matching units, without those that have no unit that a filter wants. Codes match in any case.
 */
export function filterFacilities(facilities: readonly Facility[], filter: Filter): Facility[] {
  const network = filter.network?.some(isComposite) ? undefined : filter.network;
  const isOfUnits = [filter.fueltech, filter.status].some((wanted = []) => wanted.length > 0);
  const isWanted = ({ fueltech, status }: Unit) => matches(filter.fueltech, fueltech) && matches(filter.status, status);
  return facilities
    .filter((facility) => matches(network, facility.network) && matches(filter.networkRegion, facility.region))
    .map((facility) => ({ ...facility, units: facility.units.filter(isWanted) }))
    .filter(({ units }) => units.length > 0 || !isOfUnits);
}

/** True for a network that consists of others, such as AU; its code may be in any case. */
export function isComposite(network: string): boolean {
  return findNetwork(network.toUpperCase())?.isComposite ?? false;
}

/** A filter value that nothing in the list has. */
export interface UnknownValue<K extends keyof Filter = keyof Filter> {
  readonly key: K;
  readonly value: string;
  readonly nearest: readonly string[];
}

export function findUnknownValues<K extends keyof Filter>(
  facilities: readonly Facility[],
  filter: Pick<Filter, K>,
): UnknownValue<K>[] {
  const units = facilities.flatMap((facility) => facility.units);
  const known: Readonly<Record<keyof Filter, readonly (string | undefined)[]>> = {
    network: facilities.map(({ network }) => network),
    networkRegion: facilities.map(({ region }) => region),
    fueltech: units.map(({ fueltech }) => fueltech),
    status: units.map(({ status }) => status),
  };
  return (Object.keys(known) as K[]).flatMap((key) => {
    const all = listDistinct(known[key]);
    const find = FIND_NEAREST[key] ?? findNearest;
    const unknown = (filter[key] ?? []).filter((value) => !all.some((item) => matches([value], item)));
    return unknown.map((value) => ({ key, value, nearest: find(value, all) }));
  });
}

const FIND_NEAREST: Readonly<Partial<Record<keyof Filter, typeof findNearest>>> = {
  networkRegion: findRegions,
  fueltech: findFueltechs,
};

function matches(wanted: readonly string[] | undefined, value: string | undefined): boolean {
  if (wanted === undefined || wanted.length === 0) return true;
  return value !== undefined && wanted.some((text) => text.toLowerCase() === value.toLowerCase());
}

/** Shorter text is not matched against parts of region names, such as `south` or `Victoria`. */
const MIN_NAME = 3;

/** Regions with this text in their name or these initials, else similar codes. */
export function findRegions(value: string, regions: readonly string[]): string[] {
  const wanted = value.toLowerCase();
  const named = regions.filter((region) => {
    const name = (REGION_NAMES[region] ?? "").toLowerCase();
    const words = name.split(" ");
    // `wa` for Western Australia.
    const isInitials = words.length > 1 && words.map(([initial]) => initial).join("") === wanted;
    return isInitials || (value.length >= MIN_NAME && name.includes(wanted));
  });
  return named.length > 0 ? named : findNearest(value, regions);
}

/** The code in another case, else the fueltechs of a group, else similar codes. */
export function findFueltechs(value: string, fueltechs: readonly string[]): string[] {
  const wanted = value.toLowerCase();
  if (fueltechs.includes(wanted) && !isGenericFueltech(wanted)) return [wanted];
  const members = listMembers([wanted]).filter((fueltech) => fueltechs.includes(fueltech));
  return members.length > 0 ? members : findNearest(value, fueltechs);
}

export function listMembers(groups: readonly string[]): string[] {
  return Object.entries(FUELTECH_GROUP_OF).flatMap(([fueltech, group]) =>
    group !== null && groups.includes(group) ? [fueltech] : [],
  );
}
