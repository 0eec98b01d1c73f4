import type { Example } from "../../command.ts";
import type { Completion } from "../candidate.ts";
import type { TypedWord } from "../words.ts";

/** A shell that completion works in. */
export interface Shell {
  /** What it runs once; on TAB, that runs `ents __complete <shell> <arguments>` and makes candidates of the lines. */
  readonly script: string;
  /** How to install the script. */
  readonly install: readonly Example[];
  /** What was typed, from these arguments and the environment; undefined if they make no sense. */
  readonly read: (args: readonly string[], env: Readonly<Record<string, string | undefined>>) => Typed | undefined;
}

export interface Typed {
  /** The words after `ents`, before the one that is completed. */
  readonly words: readonly string[];
  readonly word: TypedWord;
  /** Whether the shell shows what candidates mean; by default it does. */
  readonly explains?: boolean;
  /** The lines for the script. */
  readonly print: (completion: Completion) => readonly string[];
}

/** Whole words that go on from what was typed; in any case, if there is none in its own. For shells that do not choose themselves. */
export function listMatches({ prefix, candidates }: Completion, { text }: Pick<TypedWord, "text">): string[] {
  const all = candidates.map(({ value }) => prefix + value);
  const matches = all.filter((one) => one.startsWith(text));
  return matches.length > 0 ? matches : all.filter((one) => one.toLowerCase().startsWith(text.toLowerCase()));
}
