/** Facility and unit codes that are not in a list, with the nearest ones that are. */
import { didYouMean, findNearest } from "../base/phrases.ts";
import { findNetwork } from "../base/vocabulary.ts";
import { type Facility, listUnits } from "./facility.ts";
import { isMadeOfOthers } from "./filter.ts";
import { createSearch } from "./search.ts";
import { type CodeTable, tabulateFacilities, tabulateUnits } from "./tables.ts";

export const KINDS = ["facility", "unit"] as const;

type Kind = (typeof KINDS)[number];

/** The codes of a query to facilities. */
export type AskedCodes = { readonly network: string } & Readonly<Record<Kind, readonly string[]>>;

export interface Explaining {
  /** The flag of each kind. */
  readonly flags: Readonly<Record<Kind, string>>;
  /** What is, or was, done with a code: `sent anyway`. */
  readonly fate: string;
}

/** One line for each that is unknown, or of another network. */
export function explainCodes(facilities: readonly Facility[], { network, ...asked }: AskedCodes, { flags, fate }: Explaining): string[] {
  const homes: Readonly<Record<Kind, ReadonlyMap<string, string>>> = {
    facility: new Map(facilities.map((one) => [one.code, one.network])),
    unit: new Map(listUnits(facilities).map((placed) => [placed.unit.code, placed.facility.network])),
  };
  // AU has no facilities of its own.
  const own = facilities.filter((one) => one.network === network);
  const nearby = own.length > 0 ? own : facilities;
  return KINDS.flatMap((kind) => {
    const other = kind === "facility" ? "unit" : "facility";
    const unknown = asked[kind].filter((code) => !homes[kind].has(code));
    const find = unknown.length > 0 ? createFinder(kind === "facility" ? tabulateFacilities(nearby) : tabulateUnits(nearby)) : () => [];
    const describeUnknown = (code: string) => {
      const swapped = [code, code.toUpperCase()].find((one) => homes[other].has(one));
      const meant = swapped === undefined ? find(code) : [`${flags[other]} ${swapped}`];
      return `unknown ${kind} code "${code}" (${fate})${didYouMean(meant)}`;
    };
    const elsewhere = asked[kind].flatMap((code) => describeHome([kind, code], [homes[kind].get(code), network], fate) ?? []);
    return [...unknown.map(describeUnknown), ...elsewhere];
  });
}

/** Explains a code of another network: both have facilities of their own. */
function describeHome([kind, code]: [Kind, string], [home, network]: [string | undefined, string], fate: string): string | undefined {
  if (home === undefined || home === network || !hasOwnFacilities(home) || !hasOwnFacilities(network)) return undefined;
  return `${code} is a ${kind} of ${home}, not of ${network} (${fate})`;
}

function hasOwnFacilities(network: string): boolean {
  return findNetwork(network) !== undefined && !isMadeOfOthers(network);
}

const MAX_MEANT = 3;
/** Every other code is near to one that is shorter. */
const MIN_LENGTH = 4;

export function isFileName(code: string): boolean {
  return /\.(?:txt|csv|tsv|xlsx)$/i.test(code);
}

/** A file without its `@`, the code in another case, what a search finds, or else a code like it. */
function createFinder({ entries }: CodeTable): (code: string) => string[] {
  const codes = entries.map(({ item }) => item.code);
  const search = createSearch(entries);
  return (code) => {
    if (isFileName(code)) return [`@${code}`];
    const same = codes.filter((one) => one.toLowerCase() === code.toLowerCase());
    if (same.length > 0) return same;
    const found = search(code).items.slice(0, MAX_MEANT);
    if (found.length > 0) return found.map((entry) => `${entry.code} (${String(entry.cells["facility_name"])})`);
    return code.length < MIN_LENGTH ? [] : findNearest(code, codes);
  };
}
