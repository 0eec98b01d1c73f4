import { IS_WINDOWS } from "./platform.ts";

/** The end of a message about an unknown value; empty without a near match. */
export function didYouMean(nearest: readonly string[]): string {
  return nearest.length === 0 ? "" : `; did you mean ${formatList(nearest, "or")}?`;
}

/** `a, b or c`. */
export function formatList(words: readonly string[], conjunction: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

/** `1,234,567` */
export function formatNumber(count: number): string {
  return groupDigits(String(count));
}

/** Separates the thousands of a whole number; `toLocaleString` is slow to load. */
export function groupDigits(digits: string): string {
  return digits.length <= 3 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * A word of a command that is to be pasted, quoted as its shell needs: on Windows for cmd and PowerShell, where `@` and
 * `,` have a meaning.
 */
export function quote(word: string, isWindows = IS_WINDOWS): string {
  if (isWindows) return /^[\w%+=:./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The beginning of a text that somebody typed, to name it in a message. */
export function shortenTyped(text: string): string {
  return text.length > MAX_TYPED ? `${text.slice(0, MAX_TYPED - CUT.length)}${CUT}` : text;
}

const MAX_TYPED = 80;
const CUT = "...";

/** `1 point`, `1,234 points` */
export function formatCount(count: number, singular: string, many = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : many}`;
}
