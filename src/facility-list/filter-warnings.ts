/** Explains filter values that match nothing in a list. */
import { usageError } from "../base/errors.ts";
import { didYouMean, formatList } from "../base/phrases.ts";
import { FUELTECHS, isGenericFueltech } from "../base/fueltechs.ts";
import { HOME_NETWORKS, NETWORKS, STATUSES } from "../base/vocabulary.ts";
import { createSearch } from "../facilities/search.ts";
import { tabulateFacilities } from "../facilities/tables.ts";
import { type Facility, listDistinct, listUnits } from "../facilities/facility.ts";
import { type Filter, findUnknownValues, isComposite, type UnknownValue } from "../facilities/filter.ts";
import { FILTER_FLAGS, FILTER_OPTIONS } from "../options/list-options.ts";

type FilterKey = keyof Filter;

/** For each filter: its name in messages, its flag, and the values that ents knows. */
const FLAGS: Readonly<
  Record<FilterKey, { readonly name: string; readonly flag: string; readonly values: readonly string[] }>
> = {
  network: { name: "network", flag: FILTER_FLAGS.network, values: Object.keys(NETWORKS) },
  networkRegion: { name: "region", flag: FILTER_OPTIONS.networkRegion.short, values: [...HOME_NETWORKS.keys()] },
  fueltech: { name: "fueltech", flag: FILTER_FLAGS.fueltech, values: FUELTECHS },
  status: { name: "status", flag: FILTER_FLAGS.status, values: STATUSES },
};

/** Suggests a command with changed filter values and additional search words. */
type SuggestCommand = (changes: Filter, words: readonly string[]) => string;

/**
 * One line per unknown value, with similar values of the list, else with a way to see all values.
 * @throws {EntsError} usage: a flag has taken search words as its values.
 */
export function explainUnknownFilters(
  facilities: readonly Facility[],
  filter: Filter,
  describe: SuggestCommand,
): string[] {
  const unknown = findUnknownValues(facilities, filter).filter(
    ({ key, value }) => key !== "network" || !isComposite(value),
  );
  const describeWay: SuggestCommand = (changes, words) =>
    `put words to search for before the flags: ${describe(changes, words)}`;
  rejectSearchWords(unknown, filter, { facilities, describeWay });
  return unknown.map((value) => explainValue(value, facilities));
}

export function explainValue({ key, value, nearest }: UnknownValue, facilities: readonly Facility[]): string {
  const { name } = FLAGS[key];
  if (isKnownValue(key, value))
    return `no entry in the list has ${name} ${value}${isGenericFueltech(value.toLowerCase()) ? didYouMean(nearest) : ""}`;
  const other = KEYS.find((otherKey) => isKnownValue(otherKey, value));
  const meant = other === undefined ? nearest : [`${FLAGS[other].flag} ${value}`];
  return `unknown ${name} "${value}"${meant.length > 0 ? didYouMean(meant) : `; ${listAll(key, facilities)}`}`;
}

function listAll(key: FilterKey, facilities: readonly Facility[]): string {
  if (key !== "status") return `see 'ents list ${FLAGS[key].name}s' for all`;
  const statuses = listDistinct(listUnits(facilities).map(({ unit }) => unit.status));
  return statuses.length === 0 ? "the list has no statuses" : `use ${formatList(statuses, "or")}`;
}

const KEYS = Object.keys(FLAGS) as FilterKey[];

export function isKnownValue(key: FilterKey, value: string): boolean {
  return FLAGS[key].values.some((known) => known.toLowerCase() === value.toLowerCase());
}

/**
 * Rejects search words that a flag has taken as its values, such as `snowtown` in `--fueltech wind snowtown`. A value
 * counts as one if it is not the first of its flag, is neither similar to a value in the list nor known to ents, and a
 * search finds it. If a search does not find it, it may be a value missing from the list. `describeWay`: advice, given
 * the flag's other values.
 * @throws {EntsError} usage.
 */
export function rejectSearchWords(
  unknown: readonly UnknownValue[],
  filter: Filter,
  { facilities, describeWay }: { readonly facilities: readonly Facility[]; readonly describeWay: SuggestCommand },
): void {
  if (unknown.length === 0) return;
  const find = createSearch(tabulateFacilities(facilities).entries);
  const searched = unknown.filter(({ value }) => {
    const { items, isGuess } = find(value);
    return items.length > 0 && !isGuess;
  });
  const taken = searched.find(
    ({ key, value, nearest }) =>
      nearest.length === 0 &&
      !KEYS.some((otherKey) => isKnownValue(otherKey, value)) &&
      filter[key]?.indexOf(value) !== 0,
  );
  if (!taken) return;
  const { key, value } = taken;
  const values = filter[key] ?? [];
  const strange = new Set(searched.filter((found) => found.key === key).map((found) => found.value));
  const [words, known] = [values.filter((word) => strange.has(word)), values.filter((word) => !strange.has(word))];
  const way = describeWay({ [key]: known.length > 0 ? known : undefined }, words);
  throw usageError(`unknown ${FLAGS[key].name} "${value}": ${FLAGS[key].flag} takes all words that follow it`, way);
}
