/** What `ents list` writes: the entries of a list that words find. */
import { didYouMean, findNearest } from "../../base/suggest.ts";
import { type Facility, listUnits } from "../../codes/facility.ts";
import { filterFacilities } from "../../codes/filter.ts";
import { createSearch, dropFillers, fold, search } from "../../codes/search.ts";
import { type CodeTable, MINOR, NUMBERS } from "../../codes/tables.ts";
import type { OutputValues } from "../../format/output-options.ts";
import type { FetchValues } from "../../options/fetch-options.ts";
import type { FilterValues } from "../../options/list-options.ts";
import type { Column } from "../../series/layout/table.ts";
import { loadSettings } from "../../settings/settings.ts";
import { describeAge, openCodes } from "../../source/codes/open-codes.ts";
import type { Surroundings } from "../export-parts.ts";
import { openList } from "../open-list.ts";
import { explainUnknown } from "./filter-warnings.ts";

type ListedValues = FilterValues & Pick<FetchValues, "baseUrl" | "timeout" | "retries" | "sandbox"> & { readonly refresh: boolean };

/** Those of the service's list that flags leave. @throws {EntsError} as `openCodes`; usage: a flag has taken words. */
export async function listFacilities(options: ListedValues, words: readonly string[], surroundings: Surroundings): Promise<Facility[]> {
  const { context, report } = surroundings;
  const settings = await loadSettings(context);
  const found = await openCodes({ fetch: options, settings, refresh: options.refresh }, surroundings);
  const age = describeAge(found, context.now());
  if (age !== undefined) report.note(age);
  for (const warning of explainUnknown(found.facilities, options, words)) report.warn(warning);
  return filterFacilities(found.facilities, options);
}

interface Listing {
  readonly table: CodeTable;
  readonly words: readonly string[];
  readonly options: Pick<OutputValues, "format" | "output" | "header"> & { readonly codes: boolean };
  /** Whose units a word may be. */
  readonly facilities?: readonly Facility[];
}

/** @throws {EntsError} usage, output: as `openList`. */
export async function writeCodes({ table, words, options, facilities = [] }: Listing, { context, report }: Surroundings): Promise<void> {
  const { columns, entries } = table;
  const { writeTable, writeLines } = await openList(options, context);
  const found = search(entries, words);
  if (found.length === 0) report.note(...explainNothing(table, words, facilities));
  if (options.codes) return writeLines(found.map(({ code }) => code));
  await writeTable({
    columns: columns.map((name, index): Column => {
      const minor = index === 0 ? -1 : MINOR.indexOf(name);
      const number = NUMBERS[name];
      return { name, kind: number ? "value" : "text", ...number, ...(minor < 0 ? {} : { minor }) };
    }),
    rows: found.map(({ cells }) => columns.map((column) => cells[column] ?? null)),
  });
}

/** With the words that find nothing alone, and what they may stand for. */
function explainNothing({ entries }: CodeTable, words: readonly string[], facilities: readonly Facility[]): [string, ...string[]] {
  if (words.length === 0) return ["nothing in the list matches"];
  const find = createSearch(entries);
  const all = dropFillers(fold(words.join(" "))).split(/\s+/);
  const lost = all.filter((word) => find(word).items.length === 0);
  const names = entries.flatMap(({ texts }) => texts.slice(0, 2));
  const hints = lost.map((word) => {
    const home = listUnits(facilities).find(({ unit }) => unit.code.toLowerCase() === word.toLowerCase());
    if (home)
      return `${home.unit.code} is a unit of ${home.facility.code} (${home.facility.name}); see 'ents list units ${home.unit.code}'`;
    return all.length > 1 ? `"${word}" alone matches nothing${didYouMean(findNearest(word, names))}` : undefined;
  });
  const why = lost.length === 0 && all.length > 1 ? ["each word matches something, but nothing matches all of them"] : [];
  const [nearest = ""] = all.length === 1 && hints[0] === undefined ? [didYouMean(findNearest(all[0] ?? "", names))] : [];
  return [`nothing in the list matches "${words.join(" ")}"${nearest}`, ...hints.filter((hint) => hint !== undefined), ...why];
}
