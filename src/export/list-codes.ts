/** `ents list`: writes the entries of a list that match the search words. */
import { EntsError } from "../base/errors.ts";
import type { Surroundings } from "../base/report.ts";
import { findNearest } from "../base/nearest.ts";
import { didYouMean, shortenTyped } from "../base/phrases.ts";
import { STATUSES } from "../base/vocabulary.ts";
import type { Facility } from "../facilities/facility.ts";
import { type Filter, filterFacilities } from "../facilities/filter.ts";
import { createSearch, dropFillers, foldText, search } from "../facilities/search.ts";
import { type CodeTable, HIDE_FIRST, listTelling, typeOfColumn } from "../facilities/tables.ts";
import type { OutputValues } from "../format/output-options.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import type { FilterValues } from "../options/list-options.ts";
import type { Column } from "../series/layout/layout.ts";
import { loadSettings } from "../settings/settings.ts";
import { describeAge, loadCodes } from "../facility-list/open-codes.ts";
import { type ListOutput, openList } from "./open-list.ts";
import { explainUnknownFilters } from "../facility-list/filter-warnings.ts";

type OutputOptions = Pick<OutputValues, "format" | "output" | "header" | "limit"> & {
  readonly codes: boolean;
  readonly columns?: readonly string[] | undefined;
  /** True for a list that is never cut. */
  readonly isShort?: boolean;
};
type FetchedOptions = OutputOptions &
  FilterValues &
  Pick<FetchValues, "baseUrl" | "timeout" | "retries" | "sandbox"> & { readonly refresh: boolean };

interface Listing<O = OutputOptions> {
  readonly words: readonly string[];
  readonly options: O;
}

/** @throws {EntsError} usage, output: as `openList`. */
export async function writeCodes(
  { table, ...listing }: Listing & { readonly table: CodeTable },
  surroundings: Surroundings,
): Promise<void> {
  const output = await openList(listing.options, surroundings);
  await writeEntries(table, { ...listing, output }, surroundings);
}

interface Fetching extends Listing<FetchedOptions> {
  readonly tabulate: (facilities: readonly Facility[]) => CodeTable;
  /** The command line with other filter values and additional words. */
  readonly describe: (changes: Filter, words: readonly string[]) => string;
}

/**
 * Writes the service's list, filtered. @throws {EntsError} as `writeCodes`, `loadCodes`; usage: a flag has taken search
 * words.
 */
export async function writeFetchedCodes(
  { tabulate, describe, ...listing }: Fetching,
  surroundings: Surroundings,
): Promise<void> {
  const { context, report } = surroundings;
  const { options } = listing;
  // Before any request, so that a bad output fails early.
  const output = await openList(options, surroundings);
  const settings = await loadSettings(context, report);
  const found = await loadCodes(
    { fetch: options, settings, refresh: options.refresh, fetchesPlans: true },
    surroundings,
  );
  const age = describeAge(found, context.now());
  if (age !== undefined) report.note(age);
  for (const warning of explainUnknownFilters(found.facilities, options, describe)) report.warn(warning);
  const { words, status } = takeStatus(listing.words, options.status);
  await writeEntries(
    tabulate(filterFacilities(found.facilities, { ...options, status })),
    { ...listing, words, output },
    surroundings,
  );
}

/** A status among the words filters units, as the flag does. */
function takeStatus(
  words: readonly string[],
  status: string[] | undefined,
): { words: readonly string[]; status: string[] | undefined } {
  const all = words.flatMap((word) => word.split(/\s+/));
  const isStatus = (word: string) => STATUSES.some((known) => known === word.toLowerCase());
  const own = all.filter(isStatus).map((word) => word.toLowerCase());
  return status || own.length === 0 ? { words, status } : { words: all.filter((word) => !isStatus(word)), status: own };
}

async function writeEntries(
  table: CodeTable,
  { words, options, output: { old, isTable, writeTable, writeLines } }: Listing & { readonly output: ListOutput },
  { report }: Pick<Surroundings, "report">,
): Promise<void> {
  const { columns, entries } = table;
  const { items: found, isGuess } = search(entries, words);
  if (found.length === 0) {
    const [nothing, ...hints] = explainNothing(table, words);
    if (old?.hasEntries(options.codes ? undefined : columns[0])) throw refuseEmptyList(old.name, nothing, hints);
    report.note(nothing, ...hints);
  } else if (isGuess)
    report.note(`nothing in the list matches "${shortenTyped(words.join(" "))}"; showing similar names`);
  if (options.codes) return writeLines(found.map(({ code }) => code));
  if (table.note !== undefined) report.note(table.note);
  const rows = found.map(({ cells }) => cells);
  const shown = options.columns ?? (isTable ? listTelling(columns, rows) : columns);
  await writeTable({
    columns: shown.map((name, index): Column => {
      const minor = index === 0 ? -1 : HIDE_FIRST.indexOf(name);
      const { isNumber, ...type } = typeOfColumn(name);
      return { name, kind: isNumber ? "value" : "text", ...type, ...(minor < 0 ? {} : { minor }) };
    }),
    rows: rows.map((cells) => shown.map((column) => cells[column] ?? null)),
  });
}

/** Explains which words match nothing, and suggests similar ones. */
function refuseEmptyList(name: string, nothing: string, hints: readonly string[]): Error {
  return new EntsError("incomplete", `${name} is unchanged: ${nothing}`, {
    hint: [...hints, "to replace it, delete it first"].join("\n"),
  });
}

function explainNothing({ entries }: CodeTable, words: readonly string[]): [string, ...string[]] {
  if (words.length === 0 || entries.length === 0)
    return ["nothing in the list matches the flags", "leave one out to see more"];
  const find = createSearch(entries);
  const all = dropFillers(foldText(words.join(" "))).split(/\s+/);
  const names = entries.flatMap(({ texts }) => texts.slice(0, 2));
  const nothing = `nothing in the list matches "${shortenTyped(words.join(" "))}"`;
  if (all.length === 1) {
    const nearest = findNearest(all[0] ?? "", names);
    return nearest.length > 0 ? [nothing + didYouMean(nearest)] : [nothing, "leave out the words to see all"];
  }
  const lost = all.filter((word) => find(word).items.length === 0);
  if (lost.length === 0) return [nothing, "each word matches something, but no entry matches all of them"];
  return [
    nothing,
    ...lost.map((word) => `"${shortenTyped(word)}" alone matches nothing${didYouMean(findNearest(word, names))}`),
  ];
}
