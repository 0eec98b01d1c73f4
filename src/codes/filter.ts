import type { FilterValues } from "../options/list-options.ts";
import { findNearest } from "../base/phrases.ts";
import { findNetwork } from "../base/vocabulary.ts";
import { type Facility, listDistinct, type Unit } from "./facility.ts";
import { findFueltechs, findRegions } from "./nearest.ts";

/** What a list is narrowed to, by the flags of a list or a query; an empty list, or none, is everything. */
export type Filter = Partial<FilterValues>;

/** Facilities with the units that match; those that have none are left out. Codes match in any case. */
export function filterFacilities(facilities: readonly Facility[], filter: Filter): Facility[] {
  const network = filter.network?.some(isMadeOfOthers) ? undefined : filter.network;
  const isWanted = ({ fueltech, status }: Unit) => matches(filter.fueltech, fueltech) && matches(filter.status, status);
  return facilities
    .filter((one) => matches(network, one.network) && matches(filter.networkRegion, one.region))
    .map((facility) => ({ ...facility, units: facility.units.filter(isWanted) }))
    .filter(({ units }) => units.length > 0);
}

/** Whether a network, such as AU, has the facilities of others; its code may be in any case. */
export function isMadeOfOthers(network: string): boolean {
  return findNetwork(network.toUpperCase())?.isMadeOfOthers ?? false;
}

/** A value of a filter that nothing in the list has. */
export interface UnknownValue<K extends keyof Filter = keyof Filter> {
  readonly key: K;
  readonly value: string;
  /** The values that it may stand for. */
  readonly nearest: readonly string[];
}

export function findUnknownValues<K extends keyof Filter>(facilities: readonly Facility[], filter: Pick<Filter, K>): UnknownValue<K>[] {
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
    const unknown = (filter[key] ?? []).filter((value) => !all.some((one) => matches([value], one)));
    return unknown.map((value) => ({ key, value, nearest: find(value, all) }));
  });
}

const FIND_NEAREST: Readonly<Partial<Record<keyof Filter, typeof findNearest>>> = { networkRegion: findRegions, fueltech: findFueltechs };

function matches(wanted: readonly string[] | undefined, value: string | undefined): boolean {
  if (wanted === undefined || wanted.length === 0) return true;
  return value !== undefined && wanted.some((one) => one.toLowerCase() === value.toLowerCase());
}
