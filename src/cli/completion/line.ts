/** Parses the words before the one being completed, as commander does. */
import { COMMON_OPTIONS } from "../../options/fetch-options.ts";
import { isFlagOf, type NamedOption, type OptionTable, type ValueKind } from "../../options/spec.ts";
import type { ArgumentSpec } from "../values.ts";
import { type CommandEntry, type CommandSpec, joinTables, type NamedCommand } from "../command.ts";
import type { CompletionContext, Suggestion } from "./candidate.ts";

export interface TypedLine {
  readonly context: CompletionContext;
  readonly level: Level;
  /** Words that are not commands, flags or values of flags. */
  readonly arguments: readonly string[];
  /** Flags with their values, by option key; a switch has an empty list. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** The flag that the next word may be a value of; `needed` if it must be. */
  readonly open: { readonly flag: NamedOption; readonly needed: boolean } | undefined;
  readonly flagsEnded: boolean;
}

/** A command on the line, or `ents` itself. */
interface Level {
  readonly name: string;
  readonly commands: readonly (CommandEntry | NamedCommand)[];
  readonly arguments: readonly ArgumentSpec[];
  readonly table: OptionTable;
  readonly extraFlags: readonly Suggestion[];
}

const HELP: NamedCommand = { name: "help", summary: "print the help of a command" };
const HELP_FLAG = { value: "--help", help: "print help" };
const UNKNOWN_SCOPE: Level = { name: "", commands: [], arguments: [], table: {}, extraFlags: [] };

export async function readTypedLine(
  words: readonly string[],
  entries: readonly CommandEntry[],
  context: CompletionContext,
): Promise<TypedLine> {
  const level = {
    name: "ents",
    commands: [...entries, HELP],
    arguments: [],
    table: COMMON_OPTIONS,
    extraFlags: [HELP_FLAG, { value: "--version", help: "print the version" }],
  };
  let line: TypedLine = { context, level, arguments: [], values: {}, open: undefined, flagsEnded: false };
  for (const word of words) line = await addWord(word, line);
  return line;
}

async function openCommand(word: string, { commands }: Level): Promise<Level> {
  const next = commands.find(({ name }) => name === word);
  if (!next) return UNKNOWN_SCOPE;
  if (next === HELP) return openTopic(commands);
  const {
    subcommands = [],
    arguments: args = [],
    options = {},
  }: CommandSpec = "load" in next ? await next.load() : next;
  // Only names of commands follow `ents help`.
  if (!commands.includes(HELP)) return openTopic(subcommands);
  return {
    name: word,
    commands: subcommands.length === 0 ? [] : [...subcommands, HELP],
    arguments: args,
    table: { ...joinTables(options), ...COMMON_OPTIONS },
    extraFlags: [HELP_FLAG],
  };
}

function openTopic(commands: Level["commands"]): Level {
  return { ...UNKNOWN_SCOPE, commands: commands.filter((command) => command !== HELP) };
}

async function addWord(word: string, line: TypedLine): Promise<TypedLine> {
  const { level, open, flagsEnded } = line;
  if (open && (open.needed || !isDashed(word))) return addValue(line, open.flag, word);
  if (!flagsEnded && isDashed(word))
    return word === "--" ? { ...line, open: undefined, flagsEnded: true } : readFlag(word, line);
  if (level.commands.length === 0) return { ...line, arguments: [...line.arguments, word] };
  return { ...line, level: await openCommand(word, level) };
}

function isDashed(word: string): boolean {
  return word.startsWith("-") && word.length > 1;
}

function addValue(line: TypedLine, flag: NamedOption, value: string): TypedLine {
  const [key, { list }] = flag;
  return {
    ...line,
    values: { ...line.values, [key]: [...(line.values[key] ?? []), value] },
    open: list ? { flag, needed: false } : undefined,
  };
}

function readFlag(word: string, line: TypedLine): TypedLine {
  const { flags, value } = splitFlag(word, line.level.table);
  const values = { ...line.values, ...Object.fromEntries(flags.map(([key]) => [key, line.values[key] ?? []])) };
  const last = flags.at(-1);
  const withFlags = { ...line, values, open: undefined };
  if (last?.[1].argument === undefined) return withFlags;
  if (value === undefined) return { ...withFlags, open: { flag: last, needed: true } };
  // In commander, a list ends if its first value is in the same word as the flag.
  return { ...addValue(withFlags, last, value), open: undefined };
}

/** A word with flags and perhaps a value: `--format`, `--format=csv`, `-f`, `-fcsv`, `-qv`, `-qfcsv`. */
interface FlagWord {
  readonly flags: readonly NamedOption[];
  /** The text before the value, such as `--format=`, or the full word if it has no value. */
  readonly start: string;
  readonly value: string | undefined;
}

export function splitFlag(word: string, table: OptionTable): FlagWord {
  const options = Object.entries(table);
  if (word.startsWith("--")) {
    const [name = "", value] = word.split(/=(.*)/s, 2);
    const flags = options.filter((option) => isFlagOf(name, option));
    return { flags, start: value === undefined ? word : `${name}=`, value };
  }
  const flags: NamedOption[] = [];
  for (let end = 2; end <= word.length; end++) {
    const flag = options.find(([, { short }]) => short === `-${word[end - 1]}`);
    if (!flag) break;
    flags.push(flag);
    if (flag[1].argument !== undefined)
      return { flags, start: word.slice(0, end), value: word.slice(end) || undefined };
  }
  return { flags, start: word, value: undefined };
}

/** Values of a kind on the line, from arguments and flags. */
export function listTypedValues(kind: ValueKind, { level, arguments: args, values }: TypedLine): string[] {
  const ofFlags = Object.entries(level.table).flatMap(([key, spec]) => (spec.kind === kind ? (values[key] ?? []) : []));
  return [...args.filter((_word, index) => level.arguments[index]?.kind === kind), ...ofFlags].flatMap((value) =>
    value.split(","),
  );
}
