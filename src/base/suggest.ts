import { distance } from "fastest-levenshtein";

const MOST_SUGGESTED = 3;

/** The values of `known` that look most like `value`, nearest first; none when all are far off. */
export function findNearest(value: string, known: readonly string[]): string[] {
  const wanted = value.toLowerCase();
  return known
    .map((candidate) => ({ candidate, far: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ far }) => far <= Math.max(2, wanted.length / 3))
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST_SUGGESTED)
    .map(({ candidate }) => candidate);
}

function editDistance(wanted: string, candidate: string): number {
  const edits = distance(wanted, candidate);
  return candidate.includes(wanted) || wanted.includes(candidate) ? Math.min(edits, 1) : edits;
}

/** `a, b or c`. */
export function formatList(words: readonly string[], conjunction: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}
