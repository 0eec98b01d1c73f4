import type { Command } from "commander";
import type { Context } from "../base/context.ts";
import { type EntsError, usageError } from "../base/errors.ts";
import type { Verbosity } from "../base/report.ts";
import { flagOf, type OptionTable, type ValueKind } from "../options/spec.ts";
import { expandList } from "./lists.ts";
import { toList } from "../options/check.ts";

/** Unchecked values of flags by option key: text, booleans of switches, lists with commas and `@file` expanded. */
export type RawValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The values of the flags on the command line. @throws {EntsError} usage. */
export async function readValues(table: OptionTable, command: Command, context: Context): Promise<RawValues> {
  const values: Record<string, RawValues[string]> = {};
  for (const [key, spec] of Object.entries(table)) {
    const value = readValue(command, key);
    if (value === undefined || typeof value === "boolean") values[key] = value;
    else {
      const swallowed = [value].flat().find(isFlag);
      if (swallowed !== undefined) throw explainSwallowed(flagOf(key, spec), swallowed);
      values[key] = spec.list ? await expandList([value].flat(), context) : value;
    }
  }
  return values;
}

/** The global flags, which may also stand before the command. */
export function readVerbosity(command: Command): Verbosity {
  const lineage = listLineage(command);
  return {
    quiet: lineage.some((one) => readValue(one, "quiet") === true),
    verbose: lineage.some((one) => readValue(one, "verbose") === true),
    progress: lineage.every((one) => readValue(one, "progress") !== false),
  };
}

/** Whether a command or one of its subcommands has `--verbose`. */
export function isVerbose(command: Command): boolean {
  return readValue(command, "verbose") === true || command.commands.some(isVerbose);
}

/** A command and its parents, outermost first. */
export function listLineage(command: Command): Command[] {
  return command.parent ? [...listLineage(command.parent), command] : [command];
}

function readValue(command: Command, key: string): string | boolean | string[] | undefined {
  // Skips commander's own default of `--no-…`.
  return command.getOptionValueSource(key) === "cli" ? command.opts<Record<string, string | boolean | string[]>>()[key] : undefined;
}

/** Whether a value is a flag: commander reads "--b" in `--a --b` as the value of `--a`. `-7d` and `-` are values. */
export function isFlag(value: string): boolean {
  return /^(?:--[a-z]|-[a-z]$)/.test(value);
}

export function explainSwallowed(flag: string, swallowed: string): EntsError {
  return usageError(`${flag} needs a value, but the flag ${swallowed} follows it`, `put the value right after ${flag}`);
}

/** Positional arguments. */
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
