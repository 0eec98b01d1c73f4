import { findNearest } from "../base/nearest.ts";
import type { PickValues } from "../options/list-options.ts";
import { type Facility, listDistinct, listUnits, type PlacedUnit } from "./facility.ts";
import { filterFacilities, findUnknownValues, isComposite } from "./filter.ts";
import { createSearch, foldText, type Matches, type Searched } from "./search.ts";
import { tabulateFacilities } from "./tables.ts";

/** Units must match all of them. */
export interface Picks extends PickValues {
  readonly network: string;
  readonly facilityCode?: readonly string[] | undefined;
  readonly unitCode?: readonly string[] | undefined;
}

export type PickKey = Exclude<keyof Picks, "network">;

interface Picked {
  /** Sorted by facility code, then by unit code, so that the order of the service's list does not matter. */
  readonly units: readonly PlacedUnit[];
  readonly unmatched: readonly Unmatched[];
  readonly guesses: readonly Guess[];
  readonly namesakes: readonly Namesakes[];
  /** Facilities that the texts find, without regard to other flags. */
  readonly named: readonly Facility[];
  /**
   * What was searched for if it is not each text alone: adjacent words are joined where a facility matches all of them.
   */
  readonly together: readonly string[] | undefined;
}

/** A value that matches nothing, even without the other flags. */
export interface Unmatched {
  readonly key: PickKey;
  readonly value: string;
  readonly nearest: readonly string[];
  /** Facilities that a text finds in other networks. */
  readonly elsewhere?: readonly Facility[];
}

/** Facilities that match a text only with a typo. */
interface Guess {
  readonly text: string;
  readonly facilities: readonly Facility[];
}

/** A text that is the exact name or code of some facilities and selects only those; `others` are similar. */
export interface Namesakes extends Guess {
  readonly others: readonly Facility[];
}

/** Matches each flag against all facilities of the network, so that no flag changes the meaning of another. */
export function pickUnits(facilities: readonly Facility[], picks: Picks): Picked {
  const listed = facilities.filter((facility) => facility.units.length > 0);
  const own = isComposite(picks.network) ? listed : listed.filter(({ network }) => network === picks.network);
  const find = picks.facility && createFacilityFinder(own);
  let anywhere: Find | undefined;
  const findAnywhere = (text: string) => (anywhere ??= createFacilityFinder(listed))(text);
  const together = find && joinWords(picks.facility ?? [], find);
  const texts = find
    ? (together ?? picks.facility ?? []).map((text) => ({ text, ...preferKnown(find(text), () => findAnywhere(text)) }))
    : [];
  const found = new Set(texts.flatMap(({ items }) => items));
  const named = picks.facility ? own.filter((facility) => found.has(facility)) : own;
  const narrow = (candidates: readonly Facility[]) => filterFacilities(candidates, { ...picks, network: undefined });
  const units = listUnits(narrow(named)).filter(
    ({ facility, unit }) =>
      (picks.facilityCode?.includes(facility.code) ?? true) && (picks.unitCode?.includes(unit.code) ?? true),
  );
  const distinct = new Map(units.map((placed) => [JSON.stringify([placed.facility.code, placed.unit.code]), placed]));
  const missing = new Map(
    texts.filter(({ items }) => items.length === 0).map((entry) => [entry.text, entry.elsewhere]),
  );
  return {
    units: [...distinct.keys()].toSorted().map((key) => distinct.get(key) as PlacedUnit),
    unmatched: findUnmatched(own, picks, missing),
    named: picks.facility ? named : [],
    together,
    guesses: texts
      .filter(({ isGuess, items }) => isGuess && items.length > 0)
      .map(({ text, items }) => ({ text, facilities: items })),
    namesakes: texts
      .map(({ text, items, others }) => ({
        text,
        facilities: items,
        others: narrow(others.filter((facility) => !found.has(facility))),
      }))
      .filter(({ others }) => others.length > 0),
  };
}

/** `missing`: texts that find no facility, with the facilities that they find in other networks. */
function findUnmatched(
  facilities: readonly Facility[],
  picks: Picks,
  missing: ReadonlyMap<string, readonly Facility[]>,
): Unmatched[] {
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
    ...listMissing("facility", names, (text) => !missing.has(text)).map((value) => ({
      ...value,
      elsewhere: missing.get(value.value) ?? [],
    })),
    ...listMissing("facilityCode", codes),
    ...listMissing("unitCode", units),
  ];
}

interface Meant extends Matches<Facility> {
  /** Other facilities that a search for the text finds. */
  readonly others: readonly Facility[];
  readonly isCode: boolean;
}

type Find = (text: string) => Meant;

/** Drops guesses if the text matches without a typo in another network. */
function preferKnown(meant: Meant, findAnywhere: () => Meant): Meant & { readonly elsewhere: readonly Facility[] } {
  const anywhere = meant.isGuess ? findAnywhere() : undefined;
  if (!anywhere || anywhere.isGuess || anywhere.items.length === 0) return { ...meant, elsewhere: [] };
  return { ...meant, items: [], elsewhere: anywhere.items };
}

const MAX_WORDS = 5;

/** Joins the longest runs of adjacent words of which a facility matches all. Runs of codes are not joined. */
function joinWords(texts: readonly string[], find: Find): string[] | undefined {
  const joined: string[] = [];
  for (let start = 0; start < texts.length; ) {
    const words = texts.slice(start, start + MAX_WORDS);
    const several = words.findIndex((text) => /\s/.test(text));
    const runs = words.slice(0, several < 0 ? undefined : several).map((_, index) => words.slice(0, index + 1));
    const run = runs.findLast((candidate) => isName(candidate, find)) ?? [texts[start] ?? ""];
    joined.push(run.join(" "));
    start += run.length;
  }
  return joined.length < texts.length ? joined : undefined;
}

function isName(words: readonly string[], find: Find): boolean {
  if (words.length < 2) return false;
  const alone = words.map(find);
  if (alone.every(({ isCode }) => isCode)) return false;
  const { items, isGuess } = find(words.join(" "));
  return items.length > 0 && (!isGuess || alone.some((part) => part.isGuess));
}

/**
 * Finds facilities by the first of these that matches: facility code, unit code, name or facility code in any case,
 * unit code in any case, search.
 */
function createFacilityFinder(facilities: readonly Facility[]): Find {
  const { entries } = tabulateFacilities(facilities);
  const find = createSearch(facilities.map((item, index) => ({ ...(entries[index] as Searched<unknown>), item })));
  const byCode = indexBy(facilities, ({ code }) => [code]);
  const byUnit = indexBy(facilities, ({ units }) => units.map(({ code }) => code));
  const byAnyCase = indexBy(facilities, ({ code, units }) => [code, ...units.map((unit) => unit.code)].map(foldText));
  const byName = indexBy(facilities, ({ code, name }) => [foldText(code), foldText(name)]);
  return (text) => {
    const coded = byAnyCase(foldText(text));
    const isCode = coded.length > 0;
    const exact = [byCode(text), byUnit(text)].find(({ length }) => length > 0);
    if (exact) return { items: exact, isGuess: false, others: [], isCode };
    const items = [byName(foldText(text)), coded].find(({ length }) => length > 0);
    const found = find(text);
    if (!items) return { ...found, others: [], isCode };
    return {
      items,
      isGuess: false,
      others: found.isGuess ? [] : found.items.filter((item) => !items.includes(item)),
      isCode,
    };
  };
}

function indexBy(
  facilities: readonly Facility[],
  keysOf: (facility: Facility) => readonly string[],
): (key: string) => readonly Facility[] {
  const index = new Map<string, Set<Facility>>();
  for (const facility of facilities)
    for (const key of keysOf(facility)) index.set(key, (index.get(key) ?? new Set()).add(facility));
  return (key) => [...(index.get(key) ?? [])];
}
