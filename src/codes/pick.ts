/** Units that are picked from a list. */
import { findNearest } from "../base/suggest.ts";
import { findNetwork } from "../base/vocabulary.ts";
import type { PickValues } from "../options/pick-options.ts";
import { type Facility, listDistinct, listUnits, type Placed } from "./facility.ts";
import { filterFacilities, findUnknownValues } from "./filter.ts";
import { createSearch, fold, type Found, type Searched } from "./search.ts";
import { tabulateFacilities } from "./tables.ts";

/** Each narrows what the others pick. */
export interface Picks extends PickValues {
  readonly network: string;
  readonly facilityCode?: readonly string[] | undefined;
  readonly unitCode?: readonly string[] | undefined;
}

/** The flags that pick, by what they pick. */
export type PickKey = Exclude<keyof Picks, "network">;

export interface Picked {
  /** By facility code, then by unit code: the order of a list changes nothing. */
  readonly units: readonly Placed[];
  readonly unmatched: readonly Unmatched[];
  readonly guesses: readonly Guess[];
  readonly namesakes: readonly Namesakes[];
  /** Texts of one word each that find something together, too: a name may have been meant. */
  readonly together: string | undefined;
}

/** A value that picks nothing, whatever the other flags say. */
export interface Unmatched {
  readonly key: PickKey;
  readonly value: string;
  readonly nearest: readonly string[];
}

/** Facilities that only a text with a typo in it finds. */
export interface Guess {
  readonly text: string;
  readonly facilities: readonly Facility[];
}

/** A text that is the whole name of some facilities, which it means alone, and what else it would find. */
export interface Namesakes {
  readonly text: string;
  readonly facilities: readonly Facility[];
  readonly others: readonly Facility[];
}

/** Each flag is held against the whole list of the network, so that none changes what another one means. */
export function pickUnits(facilities: readonly Facility[], picks: Picks): Picked {
  const own = listOfNetwork(facilities, picks.network).filter((facility) => facility.units.length > 0);
  const find = picks.facility && createFinder(own);
  const texts = find ? (picks.facility ?? []).map((text) => ({ text, ...find(text) })) : [];
  const found = new Set(texts.flatMap(({ items }) => items));
  const named = picks.facility ? own.filter((facility) => found.has(facility)) : own;
  const narrow = (some: readonly Facility[]) => filterFacilities(some, { ...picks, network: undefined });
  const units = listUnits(narrow(named)).filter(
    ({ facility, unit }) => (picks.facilityCode?.includes(facility.code) ?? true) && (picks.unitCode?.includes(unit.code) ?? true),
  );
  const distinct = new Map(units.map((placed) => [JSON.stringify([placed.facility.code, placed.unit.code]), placed]));
  const nowhere = new Set(texts.filter(({ items }) => items.length === 0).map(({ text }) => text));
  return {
    units: [...distinct.keys()].toSorted().map((key) => distinct.get(key) as Placed),
    unmatched: findUnmatched(own, picks, (text) => !nowhere.has(text)),
    together: find && findTogether(picks.facility ?? [], find),
    guesses: texts.filter(({ isGuess, items }) => isGuess && items.length > 0).map(({ text, items }) => ({ text, facilities: items })),
    namesakes: texts
      .map(({ text, items, others }) => ({ text, facilities: items, others: narrow(others.filter((one) => !found.has(one))) }))
      .filter(({ others }) => others.length > 0),
  };
}

/** `isFound`: whether a text finds a facility. */
function findUnmatched(facilities: readonly Facility[], picks: Picks, isFound: (text: string) => boolean): Unmatched[] {
  const codes = facilities.map(({ code }) => code);
  const units = facilities.flatMap((facility) => facility.units.map(({ code }) => code));
  const names = [...facilities.map(({ name }) => name), ...codes];
  const listMissing = (key: PickKey, known: readonly string[], isKnown = (value: string) => known.includes(value)) =>
    (picks[key] ?? [])
      .filter((value) => !isKnown(value))
      .map((value) => ({ key, value, nearest: findNearest(value, listDistinct(known)) }));
  const { networkRegion, fueltech, status } = picks;
  return [
    ...findUnknownValues(facilities, { networkRegion, fueltech, status }),
    ...listMissing("facility", names, isFound),
    ...listMissing("facilityCode", codes),
    ...listMissing("unitCode", units),
  ];
}

/** A network without regions of its own, such as AU, is made of the others. */
function listOfNetwork(facilities: readonly Facility[], network: string): readonly Facility[] {
  if (findNetwork(network)?.regions.length === 0) return facilities;
  return facilities.filter((facility) => facility.network === network);
}

/** `others`: what it would find too, if the text were no whole name. */
type Find = (text: string) => Found<Facility> & { readonly others: readonly Facility[] };

function findTogether(texts: readonly string[], find: Find): string | undefined {
  if (texts.length < 2 || texts.some((text) => /\s/.test(text))) return undefined;
  const name = texts.join(" ");
  const { items, isGuess } = find(name);
  return items.length > 0 && !isGuess ? name : undefined;
}

/** Finds among their codes, names, regions and fueltechs; a code as it is written, its own or a unit's, or a whole name, means that facility alone. */
function createFinder(facilities: readonly Facility[]): Find {
  const { entries } = tabulateFacilities(facilities);
  const find = createSearch(facilities.map((item, index) => ({ ...(entries[index] as Searched<unknown>), item })));
  return (text) => {
    const coded = [
      facilities.filter(({ code }) => code === text),
      facilities.filter(({ units }) => units.some(({ code }) => code === text)),
    ].find(({ length }) => length > 0);
    if (coded) return { items: coded, isGuess: false, others: [] };
    const found = find(text);
    const named = facilities.filter(({ name }) => fold(name) === fold(text));
    if (named.length === 0) return { ...found, others: [] };
    return { items: named, isGuess: false, others: found.items.filter((one) => !named.includes(one)) };
  };
}
