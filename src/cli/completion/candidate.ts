import type { Context } from "../../base/context.ts";
import type { Example } from "../command.ts";
import type { TypedWord } from "./words.ts";

export interface Completion {
  /** The start of the word that all candidates continue: `--format=`, `power,`, `data/`. */
  readonly prefix: string;
  /** A folder ends in `/`. */
  readonly candidates: readonly Suggestion[];
}

export interface Suggestion {
  readonly value: string;
  readonly help?: string | undefined;
}

export interface CompletionContext extends Pick<Context, "env" | "cwd">, Pick<Context["process"], "uid"> {
  /** True if the shell shows the help of candidates. */
  readonly explains: boolean;
}

export interface Shell {
  /**
   * The script that the shell runs once. On TAB, it runs `ents __complete <shell> <arguments>` and reads candidates
   * from the output.
   */
  readonly script: string;
  readonly install: readonly Example[];
  /** Reads the typed line from the script's arguments and the environment; undefined if they are invalid. */
  readonly read: (args: readonly string[], env: Context["env"]) => Typed | undefined;
}

interface Typed {
  /** Words between `ents` and the word being completed. */
  readonly words: readonly string[];
  readonly word: TypedWord;
  /** As in {@link CompletionContext}; true by default. */
  readonly explains?: boolean;
  /** Formats candidates as lines for the script. */
  readonly print: (completion: Completion) => readonly string[];
}

/**
 * Full words that start with the typed text, ignoring case if there are none. For shells that do not filter candidates.
 */
export function listMatches({ prefix, candidates }: Completion, { text }: TypedWord): string[] {
  const all = candidates.map(({ value }) => prefix + value);
  const matches = all.filter((candidate) => candidate.startsWith(text));
  return matches.length > 0
    ? matches
    : all.filter((candidate) => candidate.toLowerCase().startsWith(text.toLowerCase()));
}
