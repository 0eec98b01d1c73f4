/** Units that are picked from a list. */
import { findNearest } from "../base/suggest.ts";
import { findNetwork } from "../base/vocabulary.ts";
import type { PickValues } from "../options/pick-options.ts";
import { type Facility, listDistinct, listUnits, type Placed } from "./facility.ts";
import { filterFacilities, toFilter } from "./filter.ts";
import { type Searched, search } from "./search.ts";
import { tabulateFacilities } from "./tables.ts";

/** Each narrows what the others pick. */
export interface Picks extends PickValues {
  readonly network: string;
  readonly facilityCode?: readonly string[] | undefined;
  readonly unitCode?: readonly string[] | undefined;
}

/** The flags that pick, by what they pick. */
export type PickKey = Exclude<keyof Picks, "network">;

/** By facility code, then by unit code: the order of a list changes nothing. */
export function pickUnits(facilities: readonly Facility[], picks: Picks): Placed[] {
  const { facility: texts, facilityCode, unitCode } = picks;
  const filtered = filterFacilities(listOfNetwork(facilities, picks.network), toFilter({ ...picks, network: undefined }));
  const found = texts === undefined ? filtered : findByTexts(filtered, texts);
  const units = listUnits(found).filter(
    ({ facility, unit }) => (facilityCode?.includes(facility.code) ?? true) && (unitCode?.includes(unit.code) ?? true),
  );
  const distinct = new Map(units.map((placed) => [JSON.stringify([placed.facility.code, placed.unit.code]), placed]));
  return [...distinct.keys()].toSorted().map((key) => distinct.get(key) as Placed);
}

/** A value that picks nothing, whatever the other flags say. */
export interface Unmatched {
  readonly key: PickKey;
  readonly value: string;
  readonly nearest: readonly string[];
}

export function findUnmatched(facilities: readonly Facility[], picks: Picks): Unmatched[] {
  const { network } = picks;
  const units = listUnits(listOfNetwork(facilities, network));
  return (Object.keys(KNOWN) as PickKey[]).flatMap((key) =>
    (picks[key] ?? [])
      .filter((value) => pickUnits(facilities, { network, [key]: [value] }).length === 0)
      .map((value) => ({ key, value, nearest: findNearest(value, listDistinct(units.flatMap(KNOWN[key]))) })),
  );
}

/** What the values of a flag may be. */
const KNOWN: Readonly<Record<PickKey, (placed: Placed) => (string | undefined)[]>> = {
  networkRegion: ({ facility }) => [facility.region],
  fueltech: ({ unit }) => [unit.fueltech],
  status: ({ unit }) => [unit.status],
  facility: ({ facility }) => [facility.name, facility.code],
  facilityCode: ({ facility }) => [facility.code],
  unitCode: ({ unit }) => [unit.code],
};

/** A network without regions of its own, such as AU, is made of the others. */
function listOfNetwork(facilities: readonly Facility[], network: string): readonly Facility[] {
  if (findNetwork(network)?.regions.length === 0) return facilities;
  return facilities.filter((facility) => facility.network === network);
}

/** Those that any of the texts finds; with a typo, only where it finds nothing without one. */
function findByTexts(facilities: readonly Facility[], texts: readonly string[]): Facility[] {
  const { entries } = tabulateFacilities(facilities);
  const searched = facilities.map((item, index) => ({ ...(entries[index] as Searched<unknown>), item }));
  const find = (text: string) => {
    const exact = search(searched, [text], { typos: false });
    return exact.length > 0 ? exact : search(searched, [text]);
  };
  const found = new Set(texts.flatMap(find));
  return facilities.filter((facility) => found.has(facility));
}
