/** Finds what a person types: by code, name, region or fueltech, in any case, without accents, with a typo. */
import MiniSearch, { type SearchResult } from "minisearch";

/** What is found by its texts; the first is its code. */
export interface Searched<T> {
  readonly item: T;
  readonly texts: readonly string[];
  /** How large it is. */
  readonly weight: number;
}

/**
 * Those that all words match, the best first: with every word as it stands, then with its start, then with a typo. Of
 * those that match equally well, or without words, the largest.
 */
export function search<T>(all: readonly Searched<T>[], words: readonly string[], options: SearchOptions = {}): T[] {
  if (words.join("").trim() === "") return all.toSorted((a, b) => b.weight - a.weight).map(({ item }) => item);
  return createSearch(all, options)(words.join(" "));
}

interface SearchOptions {
  /** Whether words with a typo match; by default they do. */
  readonly typos?: boolean;
}

/** The same for several texts: what takes time is the index. */
export function createSearch<T>(all: readonly Searched<T>[], { typos = true }: SearchOptions = {}): (text: string) => T[] {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ["text"], processTerm: fold, tokenize });
  index.addAll(all.map(({ texts }, id) => ({ id, text: texts.join(" ") })));
  return (text) => {
    const wanted = fold(text);
    const found = index.search(wanted, { combineWith: "AND", prefix: true, fuzzy: typos && toleratedEdits });
    return found
      .map((result) => ({ ...(all[result.id as number] as Searched<T>), rank: rankOf(result, all[result.id as number]?.texts[0], wanted) }))
      .toSorted((a, b) => a.rank - b.rank || b.weight - a.weight)
      .map(({ item }) => item);
  };
}

/** Without accents and case. */
export function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** Codes are one word with underscores, and several words. */
function tokenize(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");
  return [...new Set(words.flatMap((word) => [word, ...word.split("_").filter((part) => part !== "")]))];
}

/** A typo in a short word makes another word of it. */
function toleratedEdits(term: string): number | boolean {
  if (term.length < 4) return false;
  return term.length < 6 ? 1 : 2;
}

/** 0: its code. Otherwise the worst of the words: as it stands, its start, with a typo. */
function rankOf({ match, queryTerms }: SearchResult, code: string | undefined, wanted: string): number {
  if (code !== undefined && fold(code) === wanted) return 0;
  const found = Object.keys(match);
  return Math.max(...queryTerms.map((term) => (found.includes(term) ? 1 : found.some((one) => one.startsWith(term)) ? 2 : 3)));
}
