import { type EntsError, usageError } from "../base/errors.ts";

/** A word that begins with a dash that a word processor puts in place of hyphens: `—metrics`, `−7d`. */
const DASHED = /^[\u2013\u2014\u2212][\u2013\u2014\u2212-]*([a-z\d][^=]*)/iu;

/** The error for the first such word, without the value after `=`, which may be a token; undefined without one. */
export function explainDash(words: readonly string[]): EntsError | undefined {
  const [word = "", rest = ""] = words.map((one) => DASHED.exec(one)).find((match) => match !== null) ?? [];
  if (rest === "") return undefined;
  const hyphens = /^(?:\d|.$)/.test(rest) ? "-" : "--";
  return usageError(`"${word}" begins with a dash that is not a hyphen (${word.charAt(0)}); did you mean ${hyphens}${rest}?`);
}
