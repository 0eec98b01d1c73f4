/** Values of the flags that narrow a list, which nothing in it has. */
import { usageError } from "../base/errors.ts";
import { didYouMean, formatList } from "../base/phrases.ts";
import { FUELTECHS, isGenericFueltech } from "../base/fueltechs.ts";
import { HOME_NETWORKS, NETWORKS, STATUSES } from "../base/vocabulary.ts";
import { createSearch } from "../codes/search.ts";
import { tabulateFacilities } from "../codes/tables.ts";
import { type Facility, listDistinct, listUnits } from "../codes/facility.ts";
import { type Filter, findUnknownValues, isMadeOfOthers, type UnknownValue } from "../codes/filter.ts";
import { FILTER_FLAGS, FILTER_OPTIONS } from "../options/list-options.ts";

type Key = keyof Filter;

const NAMES: Readonly<Record<Key, string>> = {
  network: "network",
  networkRegion: "region",
  fueltech: "fueltech",
  status: "status",
};

const FLAGS: Readonly<Record<Key, string>> = { ...FILTER_FLAGS, networkRegion: FILTER_OPTIONS.networkRegion.short };

const VALUES: Readonly<Record<Key, readonly string[]>> = {
  network: Object.keys(NETWORKS),
  networkRegion: [...HOME_NETWORKS.keys()],
  fueltech: FUELTECHS,
  status: STATUSES,
};

/**
 * One line for each, with the nearest that are there, or else where all are.
 * `describe`: the command line with other values, and with more words that search.
 * @throws {EntsError} usage: a flag has taken the words that were to search.
 */
export function explainUnknown(
  facilities: readonly Facility[],
  filter: Filter,
  describe: (changes: Filter, words: readonly string[]) => string,
): string[] {
  const unknown = findUnknownValues(facilities, filter).filter(({ key, value }) => key !== "network" || !isMadeOfOthers(value));
  refuseTaken(unknown, filter, {
    facilities,
    describeWay: ({ key, words, known }) => {
      const left = known.length > 0 ? known : undefined;
      return `put words to search for before the flags: ${describe({ [key]: left }, words)}`;
    },
  });
  return unknown.map((one) => explainValue(one, listAll(one.key, facilities)));
}

function explainValue({ key, value, nearest }: UnknownValue, all: string): string {
  if (isKnown(key, value))
    return `no entry in the list has ${NAMES[key]} ${value}${isGenericFueltech(value.toLowerCase()) ? didYouMean(nearest) : ""}`;
  const other = KEYS.find((one) => isKnown(one, value));
  const meant = other === undefined ? nearest : [`${FLAGS[other]} ${value}`];
  return `unknown ${NAMES[key]} "${value}"${meant.length > 0 ? didYouMean(meant) : `; ${all}`}`;
}

function listAll(key: Key, facilities: readonly Facility[]): string {
  if (key !== "status") return `see 'ents list ${NAMES[key]}s' for all`;
  const statuses = listDistinct(listUnits(facilities).map(({ unit }) => unit.status));
  return statuses.length === 0 ? "the list has no statuses" : `use ${formatList(statuses, "or")}`;
}

const KEYS = Object.keys(VALUES) as Key[];

function isKnownToAny(value: string): boolean {
  return KEYS.some((key) => isKnown(key, value));
}

function isKnown(key: Key, value: string): boolean {
  return VALUES[key].some((one) => one.toLowerCase() === value.toLowerCase());
}

interface Taken {
  readonly key: Key;
  readonly words: readonly string[];
  /** The other values of the flag. */
  readonly known: readonly string[];
}

interface Refusing {
  readonly facilities: readonly Facility[];
  /** What to do instead. */
  readonly describeWay: (taken: Taken) => string;
}

/**
 * Refuses a value after another one of its flag that is like none that there is, nor one that other lists have: a word that
 * was to search, as the list finds it. What it does not find may be a value that it lacks, by now perhaps.
 * @throws {EntsError} usage.
 */
export function refuseTaken(unknown: readonly UnknownValue[], filter: Filter, { facilities, describeWay }: Refusing): void {
  if (unknown.length === 0) return;
  const find = createSearch(tabulateFacilities(facilities).entries);
  const searched = unknown.filter(({ value }) => {
    const { items, isGuess } = find(value);
    return items.length > 0 && !isGuess;
  });
  const taken = searched.find(
    ({ key, value, nearest }) => nearest.length === 0 && !isKnownToAny(value) && filter[key]?.indexOf(value) !== 0,
  );
  if (!taken) return;
  const { key, value } = taken;
  const values = filter[key] ?? [];
  const strange = new Set(searched.filter((one) => one.key === key).map((one) => one.value));
  const [words, known] = [values.filter((one) => strange.has(one)), values.filter((one) => !strange.has(one))];
  throw usageError(`unknown ${NAMES[key]} "${value}": ${FLAGS[key]} takes all words that follow it`, describeWay({ key, words, known }));
}
