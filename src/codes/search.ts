/** Finds what a person types: by code, name, region or fueltech, in any case, without accents, with a typo. */
import MiniSearch, { type SearchResult } from "minisearch";

/** What is found by its texts; the first is its code. */
export interface Searched<T> {
  readonly item: T;
  readonly texts: readonly string[];
  readonly name?: string | undefined;
  /** How large it is. */
  readonly weight: number;
}

/** What a text finds. */
export interface Matches<T> {
  readonly items: readonly T[];
  /** Whether nothing has its words, so that these have words like them. */
  readonly isGuess: boolean;
}

/** The items that all words match, as `createSearch` finds them; without words all, the largest first. */
export function search<T>(all: readonly Searched<T>[], words: readonly string[]): Matches<T> {
  if (words.join("").trim() !== "") return createSearch(all)(words.join(" "));
  return { items: all.toSorted((a, b) => b.weight - a.weight).map(({ item }) => item), isGuess: false };
}

/**
 * Finds those that all words of a text match, the best first: the one of that code, then those of that name, then those with every
 * word as it stands, then by its start; of those that match equally well, the largest. Words that say nothing are left out. Where there are none, those that have words with a typo.
 */
export function createSearch<T>(all: readonly Searched<T>[]): (text: string) => Matches<T> {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ["text"], processTerm: fold, tokenize });
  index.addAll(all.map(({ texts }, id) => ({ id, text: texts.join(" ") })));
  const find = (wanted: string, fuzzy: typeof toleratedEdits | false) =>
    index
      .search(wanted, { combineWith: "AND", prefix: ({ length }) => length > 1, fuzzy })
      .map((result) => {
        const one = all[result.id as number] as Searched<T>;
        return { ...one, rank: rankOf(result, one, wanted), place: result.id as number };
      })
      .toSorted((a, b) => a.rank - b.rank || b.weight - a.weight || a.place - b.place)
      .map(({ item }) => item);
  return (text) => {
    const wanted = dropFillers(fold(text));
    const items = find(wanted, false);
    return items.length > 0 ? { items, isGuess: false } : { items: find(wanted, toleratedEdits), isGuess: true };
  };
}

/** `wind farms of South Australia` */
const FILLERS = /(?<![\p{L}\p{N}_])(?:power(?=[\s-]+(?:stations?|plants?))|farms?|stations?|plants?|of|in|the)(?![\p{L}\p{N}_])/gu;

/** Leaves words such as "power station" out of a folded text, unless nothing else is in it. */
export function dropFillers(text: string): string {
  const rest = text.replaceAll(FILLERS, " ").trim();
  return rest === "" ? text.trim() : rest;
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

/** 0: its code. 1: its name. 2: the start of its code. Otherwise the worst of the words: as it stands, its start, with a typo. */
function rankOf({ match, queryTerms }: SearchResult, { texts: [code = ""], name = "" }: Searched<unknown>, wanted: string): number {
  if (fold(code) === wanted) return 0;
  if (dropFillers(fold(name)) === wanted) return 1;
  if (fold(code).startsWith(wanted)) return 2;
  const found = Object.keys(match);
  return Math.max(...queryTerms.map((term) => (found.includes(term) ? 2 : found.some((one) => one.startsWith(term)) ? 3 : 4)));
}
