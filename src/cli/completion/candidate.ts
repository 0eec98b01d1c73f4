import type { Context } from "../../base/context.ts";

/** What a word can become. */
export interface Completion {
  /** The start of the word that all candidates go on from: `--format=`, `power,`, `data/`. */
  readonly prefix: string;
  /** A folder ends in `/`. */
  readonly candidates: readonly Suggestion[];
}

export interface Suggestion {
  readonly value: string;
  readonly help?: string | undefined;
}

export interface CompletionContext extends Pick<Context, "env" | "cwd"> {
  /** Whether the shell shows what candidates mean; by default it does. */
  readonly explains?: boolean | undefined;
}
