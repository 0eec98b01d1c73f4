import type { Completion } from "../candidate.ts";
import type { TypedWord } from "../words.ts";

/** Whole words that go on from what was typed; in any case, if there is none in its own. For shells that do not choose themselves. */
export function listMatches({ prefix, candidates }: Completion, { text }: Pick<TypedWord, "text">): string[] {
  const all = candidates.map(({ value }) => prefix + value);
  const matches = all.filter((one) => one.startsWith(text));
  return matches.length > 0 ? matches : all.filter((one) => one.toLowerCase().startsWith(text.toLowerCase()));
}
