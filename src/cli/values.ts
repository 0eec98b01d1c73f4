/**
 * Reads the values of flags. Lists are separated by spaces, commas or semicolons, repeated, or one per line in `@file`.
 */
import type { Command } from "commander";
import type { Context } from "../base/context.ts";
import { type EntsError, usageError, codeOf, messageOf } from "../base/errors.ts";
import { decodeText } from "../base/text-encoding.ts";
import type { Verbosity } from "../base/report.ts";
import { flagOf, type OptionTable, type ValueKind } from "../options/spec.ts";
import { toList } from "../options/check.ts";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { addAbortSignal } from "node:stream";

/** Unchecked values of flags by option key: text, booleans of switches, lists with commas and `@file` expanded. */
export type RawValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The values of the flags on the command line. @throws {EntsError} usage. */
export async function readFlags(table: OptionTable, command: Command, context: Context): Promise<RawValues> {
  const values: Record<string, RawValues[string]> = {};
  const lifted: string[] = [];
  for (const [key, spec] of Object.entries(table)) {
    const value = readValue(command, key);
    values[key] = value;
    if (value === undefined || typeof value === "boolean") continue;
    const texts = [value].flat();
    const swallowed = texts.find(isFlag);
    if (swallowed !== undefined) throw explainMissingValue(flagOf(key, spec), swallowed);
    if (!spec.list) continue;
    const list = await expandList(texts, context);
    values[key] = list;
    // A long list from a file is intended, so its limit is lifted.
    const isLong = list.length > (spec.maxValues ?? Number.POSITIVE_INFINITY);
    if (isLong && spec.relaxedBy !== undefined && texts.some((text) => text.startsWith("@")))
      lifted.push(spec.relaxedBy);
  }
  for (const key of lifted) values[key] = true;
  return values;
}

/** The global flags, which may also precede the command. */
export function readVerbosity(command: Command): Verbosity {
  const lineage = listLineage(command);
  return {
    quiet: lineage.some((level) => readValue(level, "quiet") === true),
    verbose: lineage.some((level) => readValue(level, "verbose") === true),
    progress: lineage.every((level) => readValue(level, "progress") !== false),
  };
}

/** True if a global switch was given to the command or one of its subcommands. */
export function hasSwitch(command: Command, key: "quiet" | "verbose"): boolean {
  return readValue(command, key) === true || command.commands.some((child) => hasSwitch(child, key));
}

export function listLineage(command: Command): Command[] {
  return command.parent ? [...listLineage(command.parent), command] : [command];
}

function readValue(command: Command, key: string): string | boolean | string[] | undefined {
  // Skips commander's own default of `--no-…`.
  return command.getOptionValueSource(key) === "cli"
    ? command.opts<Record<string, string | boolean | string[]>>()[key]
    : undefined;
}

/**
 * True if a value looks like a flag: in `--a --b`, commander reads `--b` as the value of `--a`. `-7d` and `-` are
 * values.
 */
export function isFlag(value: string): boolean {
  return /^(?:--[a-z]|-[a-z]$)/.test(value);
}

export function explainMissingValue(flag: string, swallowed: string): EntsError {
  return usageError(`${flag} needs a value, but the flag ${swallowed} follows it`, `put the value right after ${flag}`);
}

/** Formats the command line with some values replaced, and with more words before the flags. */
export type DescribeCommand = (changes: RawValues, more?: readonly string[]) => string;

export interface ArgumentSpec {
  /** As help shows it, in angle brackets: `network_code`. */
  readonly name: string;
  /** True if it takes any number of words, including none. */
  readonly rest?: boolean;
  readonly kind?: ValueKind;
  readonly choices?: readonly string[];
  /** Shown if it is missing, or given as a flag. */
  readonly hint: string;
  /** A value to show in a command line that lacks it. */
  readonly sample?: string;
  /**
   * The argument in its correct spelling; undefined if the word is not one. `flag` is the key of the list flag that
   * took the word.
   */
  readonly recognize?: (word: string, flag?: string) => string | undefined;
  /** True if the word belongs to a flag instead. `--allow-unknown` accepts it anyway. */
  readonly isMisplaced?: (word: string) => boolean;
  /** The command to use instead, if the word shows that the user meant another one. */
  readonly redirect?: (word: string) => string | undefined;
}

export function checkRedirect({ name, redirect }: ArgumentSpec, word: string): void {
  const meant = redirect?.(word);
  if (meant === undefined) return;
  throw usageError(`unknown ${name.replaceAll("_", " ")} "${word}"`, undefined, {
    value: word,
    didYouMean: [`'${meant}'`],
  });
}

/**
 * The error for a missing argument; names the list flag that took it, if any. `describe`: the command line with more
 * words.
 */
export function explainMissing(
  { name, hint, sample, recognize }: ArgumentSpec,
  {
    words,
    values,
    describe,
  }: { readonly words: readonly string[]; readonly values: RawValues; readonly describe: DescribeCommand },
  table: OptionTable,
): EntsError {
  const noun = `the ${name.replaceAll("_", " ")}`;
  for (const [key, spec] of Object.entries(table)) {
    const swallowed = spec.list ? toList(values[key]).find((word) => recognize?.(word, key) !== undefined) : undefined;
    if (swallowed === undefined) continue;
    const flag = flagOf(key, spec);
    const line = ["ents", ...words, recognize?.(swallowed, key), flag].join(" ");
    return usageError(`${noun} is missing: ${flag} took "${swallowed}" as a value`, `put ${noun} first: ${line} ...`);
  }
  const hasFlags = Object.values(values).some((value) => value !== undefined);
  return usageError(
    `${noun} is missing`,
    sample !== undefined && hasFlags ? `put ${noun} first: ${describe({}, [sample])}` : hint,
  );
}

/** @throws {EntsError} usage: a file that cannot be read, or has no values. */
export async function expandList(values: readonly string[], context: Context): Promise<string[]> {
  const lists: string[][] = [];
  for (const value of values) lists.push(value.startsWith("@") ? await readList(value, context) : splitValues(value));
  return lists.flat();
}

async function readList(source: string, context: Context): Promise<string[]> {
  const bytes = await readSource(source, context);
  const text = decodeText(bytes);
  const name = source === "@-" ? "standard input" : source;
  // Control characters other than white space: a workbook, or text in another encoding.
  if (text === undefined || /(?!\s)\p{Cc}/u.test(text))
    throw usageError(`${name} is not text`, "save it as a text file (UTF-8) with one value per line");
  const values = splitContent(text);
  if (values.length > 0) return values;
  throw usageError(`${name} has no values`, HINT);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EISDIR: "it is a directory",
  EACCES: "permission denied",
};

const HINT = "@file reads a file with one value per line; @- reads standard input";

async function readSource(source: string, { stdin, signal, cwd }: Context): Promise<Buffer> {
  if (source === "@-") {
    if (stdin.stream.readableEnded) throw usageError("@- can only be used once", "use @file for the other list");
    const chunks: Buffer[] = [];
    for await (const chunk of addAbortSignal(signal, stdin.stream)) chunks.push(Buffer.from(chunk as Uint8Array));
    return Buffer.concat(chunks);
  }
  const path = resolve(cwd, source.slice(1));
  try {
    return readFileSync(path);
  } catch (error) {
    throw usageError(`cannot read ${source}: ${REASONS[codeOf(error) ?? ""] ?? messageOf(error)}`, HINT);
  }
}

/**
 * Splits text into values and drops comments; a `#` inside a word is part of a code (`W/HOE#1`). Spreadsheet cells are
 * separated by tabs, or by semicolons where the comma is the decimal mark, and may be quoted.
 */
function splitContent(content: string): string[] {
  const lines = content.split(/\r\n?|\n/).map((line) => line.replace(/(?:^|\s)#.*/, ""));
  return lines
    .flatMap((line) => line.split("\t").flatMap(splitValues))
    .map((cell) => cell.replace(/^"(.*)"$/, "$1").trim())
    .filter((code) => code !== "");
}

function splitValues(value: string): string[] {
  return value
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
