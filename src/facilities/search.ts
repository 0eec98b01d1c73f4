/** Searches by code, name, region or fueltech. Ignores case and accents, and allows for typos. */
import { usageError } from "../base/errors.ts";
import { formatCount } from "../base/phrases.ts";
import MiniSearch, { type SearchResult } from "minisearch";

/** An item and the texts that find it; the first text is its code. */
export interface Searched<T> {
  readonly item: T;
  readonly texts: readonly string[];
  readonly name?: string | undefined;
  readonly weight: number;
}

export interface Matches<T> {
  readonly items: readonly T[];
  /** True if the items only match with typos. */
  readonly isGuess: boolean;
}

/** Items that match all words, as in `createSearch`; without words, all items, largest first. */
export function search<T>(all: readonly Searched<T>[], words: readonly string[]): Matches<T> {
  if (words.join("").trim() !== "") return createSearch(all)(words.join(" "));
  return { items: all.toSorted((a, b) => b.weight - a.weight).map(({ item }) => item), isGuess: false };
}

/**
 * Finds items that match all words of a text except fillers; else all words in the singular; else all words with typos.
 * A word finds those that it begins; one of two letters only if nothing has it in full. Sorts them by rank, then
 * largest first.
 */
export function createSearch<T>(all: readonly Searched<T>[]): (text: string) => Matches<T> {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ["text"], processTerm: foldText, tokenize });
  index.addAll(all.map(({ texts }, id) => ({ id, text: texts.join(" ") })));
  const find = (wanted: string, fuzzy: typeof toleratedEdits | false, leastLength = 2) =>
    index
      .search(wanted, { combineWith: "AND", prefix: ({ length }) => length >= leastLength, fuzzy })
      .map((result) => {
        const one = all[result.id as number] as Searched<T>;
        return { ...one, rank: rankMatch(result, one, wanted), place: result.id as number };
      })
      .toSorted((a, b) => a.rank - b.rank || b.weight - a.weight || a.place - b.place)
      .map(({ item }) => item);
  return (text) => {
    if (text.length > MAX_LENGTH)
      throw usageError(
        `the text to search for has ${formatCount(text.length, "character")}`,
        `use at most ${MAX_LENGTH}`,
      );
    const wanted = dropFillers(foldText(text));
    const forms = [...new Set([wanted, wanted.replaceAll(PLURAL, singularOf)])];
    // `WA` is Western Australia, before it begins the name of South Wales.
    for (const leastLength of [3, 2])
      for (const form of forms) {
        const items = find(form, false, leastLength);
        if (items.length > 0) return { items, isGuess: false };
      }
    const swapped = wanted.replaceAll(WORD, (word) => swapLetters(word, (form) => find(form, false).length > 0));
    return { items: find(swapped, toleratedEdits), isGuess: true };
  };
}

/** Longer than any name; typos are looked for in all ways. */
const MAX_LENGTH = 200;

/** Matches `batteries`, but not `gas` and `glass`, which are singular. */
const PLURAL = /(?<!\p{L})\p{L}{3,}[^s\P{L}]s(?!\p{L})/gu;

function singularOf(plural: string): string {
  return plural.replace(/ies$|s$/, (ending) => (ending === "ies" ? "y" : ""));
}

const WORD = /\p{L}{4,}/gu;

/**
 * Swaps two adjacent letters of an unknown word if that gives a known one: `yagn` → `yang`. Edit distance counts a swap
 * as two edits.
 */
function swapLetters(word: string, isKnown: (text: string) => boolean): string {
  if (isKnown(word)) return word;
  const swaps = Array.from(
    word.slice(1),
    (_, at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  );
  return swaps.find(isKnown) ?? word;
}

/** Such as `farms` and `of` in `wind farms of South Australia`. */
const FILLERS =
  /(?<![\p{L}\p{N}_])(?:power(?=[\s-]+(?:stations?|plants?))|farms?|stations?|plants?|of|in|the)(?![\p{L}\p{N}_])/gu;

/** Removes words such as "power station" from a folded text, unless nothing would remain. */
export function dropFillers(text: string): string {
  const rest = text.replaceAll(FILLERS, " ").trim();
  return rest === "" ? text.trim() : rest;
}

/** Removes accents and case. */
export function foldText(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** Codes with underscores are both one word and several words. */
function tokenize(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");
  return [...new Set(words.flatMap((word) => [word, ...word.split("_").filter((part) => part !== "")]))];
}

/** None for short words: a typo there makes another word. */
function toleratedEdits(term: string): number | boolean {
  if (term.length < 4) return false;
  return term.length < 6 ? 1 : 2;
}

/**
 * 0: the code. 1: the name. 2: the start of the code. Otherwise the worst match of a word: 2 exact, 3 its start, 4 with
 * a typo.
 */
function rankMatch(
  { match, queryTerms }: SearchResult,
  { texts: [code = ""], name = "" }: Searched<unknown>,
  wanted: string,
): number {
  if (foldText(code) === wanted) return 0;
  if (dropFillers(foldText(name)) === wanted) return 1;
  if (foldText(code).startsWith(wanted)) return 2;
  const found = Object.keys(match);
  return Math.max(
    ...queryTerms.map((term) => (found.includes(term) ? 2 : found.some((other) => other.startsWith(term)) ? 3 : 4)),
  );
}
