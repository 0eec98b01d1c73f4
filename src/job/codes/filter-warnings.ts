/** Values of the flags that narrow a list, which nothing in it has. */
import { usageError } from "../../base/errors.ts";
import { didYouMean } from "../../base/suggest.ts";
import { FUELTECHS, NETWORKS, STATUSES } from "../../base/vocabulary.ts";
import type { Facility } from "../../codes/facility.ts";
import { type Filter, findUnknownValues, type UnknownValue } from "../../codes/filter.ts";
import { FILTER_FLAGS } from "../../options/list-options.ts";

const NAMES: Readonly<Record<keyof Filter, string>> = {
  network: "network",
  networkRegion: "region",
  fueltech: "fueltech",
  status: "status",
};

/**
 * One line for each, with the nearest that are there. `words`: those that search the list.
 * @throws {EntsError} usage: a flag has taken the words that were to search.
 */
export function explainUnknown(facilities: readonly Facility[], filter: Filter, words: readonly string[]): string[] {
  const unknown = findUnknownValues(facilities, filter);
  const taken = words.length === 0 ? unknown.find((one) => isTaken(one, filter)) : undefined;
  if (taken) throw refuseTaken(taken, filter, unknown);
  return unknown.map(({ key, value, nearest }) => `unknown ${NAMES[key]} "${value}"${didYouMean(nearest)}`);
}

/** After another value of its flag, like none that there is, nor one that other lists have. */
function isTaken({ key, value, nearest }: UnknownValue, filter: Filter): boolean {
  const isElsewhere = VALUES[key].some((one) => one.toLowerCase() === value.toLowerCase());
  return nearest.length === 0 && !isElsewhere && filter[key]?.indexOf(value) !== 0;
}

const VALUES: Readonly<Record<keyof Filter, readonly string[]>> = {
  network: Object.keys(NETWORKS),
  networkRegion: Object.values(NETWORKS).flatMap(({ regions }) => regions),
  fueltech: FUELTECHS,
  status: STATUSES,
};

function refuseTaken({ key, value }: UnknownValue, filter: Filter, unknown: readonly UnknownValue[]): Error {
  const values = filter[key] ?? [];
  const strange = new Set(unknown.filter((one) => one.key === key).map((one) => one.value));
  const [words, known] = [values.filter((one) => strange.has(one)), values.filter((one) => !strange.has(one))];
  return usageError(
    `unknown ${NAMES[key]} "${value}": ${FILTER_FLAGS[key]} takes all words that follow it`,
    `put words to search for before the flags: ents list ... ${words.join(" ")} ${FILTER_FLAGS[key]} ${known.join(" ")}`,
  );
}
