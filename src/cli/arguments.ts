/** Positional arguments. */
import { type EntsError, usageError } from "../base/errors.ts";
import { toList } from "../options/check.ts";
import { flagOf, type OptionTable, type ValueKind } from "../options/spec.ts";
import type { RawValues } from "./values.ts";

export interface ArgumentSpec {
  /** As help shows it, in angle brackets: `network_code`. */
  readonly name: string;
  /** Whether it stands for any number of words, or none. */
  readonly rest?: boolean;
  /** What it is, for completion. */
  readonly kind?: ValueKind;
  /** Flags for it, here or in other tools, without dashes: messages about unknown flags know them. */
  readonly otherNames?: readonly string[];
  readonly choices?: readonly string[];
  /** Shown when it is missing, or given as a flag. */
  readonly hint: string;
  /** The argument that a word is, in its right spelling; undefined if it is none. `flag`: the key of the list that took the word. */
  readonly recognize?: (word: string, flag?: string) => string | undefined;
  /** The command that a word shows to be meant instead, whatever the flags. */
  readonly redirect?: (word: string) => string | undefined;
}

interface CommandInput {
  readonly words: readonly string[];
  readonly table: OptionTable;
  readonly values: RawValues;
}

/** @throws {EntsError} usage: another command is meant. */
export function checkRedirect({ name, redirect }: ArgumentSpec, word: string): void {
  const meant = redirect?.(word);
  if (meant !== undefined) throw usageError(`unknown ${name.replaceAll("_", " ")} "${word}"; did you mean '${meant}'?`);
}

/** The error for a missing argument; names a list flag that took it. */
export function explainMissing({ name, hint, recognize }: ArgumentSpec, { words, table, values }: CommandInput): EntsError {
  const message = `the ${name.replaceAll("_", " ")} is missing`;
  for (const [key, spec] of Object.entries(table)) {
    const swallowed = spec.list ? toList(values[key]).find((word) => recognize?.(word, key) !== undefined) : undefined;
    if (swallowed === undefined) continue;
    const flag = flagOf(key, spec);
    return usageError(
      `${message}: ${flag} took "${swallowed}" as a value`,
      `put the ${name.replaceAll("_", " ")} first: ents ${[...words, recognize?.(swallowed, key), flag].join(" ")} ...`,
    );
  }
  return usageError(message, hint);
}
