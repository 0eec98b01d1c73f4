import { distance } from "fastest-levenshtein";

const MAX_SUGGESTIONS = 3;

/**
 * The values of `known` most similar to `value`, nearest first; only those that differ in case alone, if there are any.
 */
export function findNearest(value: string, known: readonly string[]): string[] {
  const wanted = value.toLowerCase();
  const same = known.filter((candidate) => candidate.toLowerCase() === wanted);
  if (same.length > 0) return same;
  return known
    .map((candidate) => ({ candidate, edits: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= (wanted.length <= 4 ? 1 : Math.max(2, wanted.length / 3)))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

function editDistance(wanted: string, candidate: string): number {
  const edits = isAnagram(wanted, candidate) ? 1 : distance(wanted, candidate);
  // A different ending: "facility" for "facilities".
  if (wanted.length > 5 && candidate.startsWith(wanted.slice(0, -1))) return Math.min(edits, 1);
  return candidate.includes(wanted) || wanted.includes(candidate) ? Math.min(edits, 1) : edits;
}

/** True for the same letters in another order: "jsno" for "json". */
function isAnagram(wanted: string, candidate: string): boolean {
  const sorted = (text: string) => text.split("").toSorted().join("");
  return wanted.length === candidate.length && sorted(wanted) === sorted(candidate);
}
