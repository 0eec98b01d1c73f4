/** Explains facility and unit codes that are not in the list, and suggests similar ones. */
import type { ErrorDetails } from "../base/errors.ts";
import { findNearest } from "../base/nearest.ts";
import { didYouMean } from "../base/phrases.ts";
import { findNetwork } from "../base/vocabulary.ts";
import { type Facility, listUnits } from "./facility.ts";
import { isComposite } from "./filter.ts";
import { createSearch } from "./search.ts";
import { type CodeTable, tabulateFacilities, tabulateUnits } from "./tables.ts";

export const KINDS = ["facility", "unit"] as const;

type CodeKind = (typeof KINDS)[number];

export type RequestedCodes = { readonly network: string } & Readonly<Record<CodeKind, readonly string[]>>;

export interface CodeProblem {
  readonly text: string;
  readonly facts: ErrorDetails;
}

/** One per code that is unknown or of another network. `fate`: what happens to such codes, such as `sent anyway`. */
export function explainCodes(
  facilities: readonly Facility[],
  { network, ...requested }: RequestedCodes,
  { flags, fate }: { readonly flags: Readonly<Record<CodeKind, string>>; readonly fate: string | undefined },
): CodeProblem[] {
  const homes: Readonly<Record<CodeKind, ReadonlyMap<string, string>>> = {
    facility: new Map(facilities.map((facility) => [facility.code, facility.network])),
    unit: new Map(listUnits(facilities).map((placed) => [placed.unit.code, placed.facility.network])),
  };
  // AU has no facilities of its own.
  const own = facilities.filter((facility) => facility.network === network);
  const nearby = own.length > 0 ? own : facilities;
  const suffix = fate === undefined ? "" : ` (${fate})`;
  return KINDS.flatMap((kind) => {
    const other = kind === "facility" ? "unit" : "facility";
    const unknown = requested[kind].filter((code) => !homes[kind].has(code));
    const find =
      unknown.length > 0
        ? createSuggester(kind === "facility" ? tabulateFacilities(nearby) : tabulateUnits(nearby))
        : () => [];
    const describeUnknown = (code: string) => {
      const swapped = [code, code.toUpperCase()].find((spelling) => homes[other].has(spelling));
      const meant = swapped === undefined ? find(code) : [`${flags[other]} ${swapped}`];
      const facts = { flag: flags[kind], value: code, didYouMean: meant.map((name) => name.replace(/ \(.*\)$/, "")) };
      return { text: `unknown ${kind} code "${code}"${suffix}${didYouMean(meant)}`, facts };
    };
    const elsewhere = requested[kind].flatMap((code) => {
      const home = homes[kind].get(code);
      if (
        home === undefined ||
        home === network ||
        ![home, network].every((candidate) => findNetwork(candidate) && !isComposite(candidate))
      )
        return [];
      return [
        {
          text: `${code} is a ${kind} of ${home}, not of ${network}${suffix}`,
          facts: { flag: flags[kind], value: code },
        },
      ];
    });
    return [...unknown.map(describeUnknown), ...elsewhere];
  });
}

const MAX_MEANT = 3;
/** Shorter codes are similar to too many others. */
const MIN_LENGTH = 4;

export function isFileName(code: string): boolean {
  return /\.(?:txt|csv|tsv|xlsx)$/i.test(code);
}

/** Without case, signs, and zeros before other digits: `bw1` for `BW01`. */
function simplify(code: string): string {
  return code.toLowerCase().replaceAll(/[^a-z\d]|(?<!\d)0+(?=\d)/g, "");
}

/**
 * Suggests `@file` for a file name, else the same code in another spelling, else search results, else similar codes.
 */
function createSuggester({ entries }: CodeTable): (code: string) => string[] {
  const codes = entries.map(({ item }) => item.code);
  const search = createSearch(entries);
  return (code) => {
    if (isFileName(code)) return [`@${code}`];
    const same = codes.filter((other) => simplify(other) === simplify(code));
    if (same.length > 0) return same;
    const found = search(code).items.slice(0, MAX_MEANT);
    if (found.length > 0) return found.map((entry) => `${entry.code} (${String(entry.cells["facility_name"])})`);
    return code.length < MIN_LENGTH ? [] : findNearest(code, codes);
  };
}
