/** The words before the one that is completed, read as commander reads them. */
import { COMMON_OPTIONS } from "../../options/fetch-options.ts";
import { flagOf, type OptionSpec, type OptionTable, type ValueKind } from "../../options/spec.ts";
import type { ArgumentSpec } from "../values.ts";
import { type CommandEntry, type CommandSpec, joinTables, type NamedCommand } from "../command.ts";

export interface TypedLine {
  readonly level: Level;
  /** The words that are no commands, no flags and no values. */
  readonly arguments: readonly string[];
  /** The flags with their values, by option key; a switch has none. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** The flag that the next word may be a value of; `needed`: can be nothing else. */
  readonly open: { readonly flag: NamedSpec; readonly needed: boolean } | undefined;
  /** Whether flags are over: after `--`. */
  readonly flagsEnded: boolean;
}

/** A command, or one that is not complete yet. */
interface Level {
  readonly name: string;
  /** The commands that may follow. */
  readonly commands: readonly NextCommand[];
  readonly arguments: readonly ArgumentSpec[];
  readonly table: OptionTable;
  /** Flags that are in no table. */
  readonly extraFlags: Readonly<Record<string, string>>;
}

interface NextCommand {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Level | Promise<Level>;
}

export interface NamedSpec {
  readonly key: string;
  readonly spec: OptionSpec;
}

const HELP_FLAG = { "--help": "print help" };
/** After a word that is no command. */
const NOWHERE: Level = { name: "", commands: [], arguments: [], table: {}, extraFlags: {} };

export async function readTypedLine(words: readonly string[], entries: readonly CommandEntry[]): Promise<TypedLine> {
  let line: TypedLine = { level: openProgram(entries), arguments: [], values: {}, open: undefined, flagsEnded: false };
  for (const word of words) line = await readWord(word, line);
  return line;
}

function openProgram(entries: readonly CommandEntry[]): Level {
  const commands = entries.map(({ name, summary, load }) => ({
    name,
    summary,
    load: async () => openCommand({ name, summary, ...(await load()) }),
  }));
  return {
    name: "ents",
    commands: [...commands, nameHelp(entries.map((entry) => ({ ...entry, load: async () => openTopic(await entry.load()) })))],
    arguments: [],
    table: COMMON_OPTIONS,
    extraFlags: { ...HELP_FLAG, "--version": "print the version" },
  };
}

function openCommand({ name, subcommands = [], arguments: args = [], options = {} }: NamedCommand): Level {
  const commands = subcommands.map((child) => ({ ...child, load: () => openCommand(child) }));
  const help = nameHelp(subcommands.map((child) => ({ ...child, load: () => openTopic(child) })));
  return {
    name,
    commands: commands.length === 0 ? [] : [...commands, help],
    arguments: args,
    table: { ...joinTables(options), ...COMMON_OPTIONS },
    extraFlags: HELP_FLAG,
  };
}

/** `ents help`, which the names of commands follow. */
function nameHelp(commands: readonly NextCommand[]): NextCommand {
  return { name: "help", summary: "print the help of a command", load: () => ({ ...NOWHERE, commands }) };
}

function openTopic({ subcommands = [] }: CommandSpec): Level {
  return { ...NOWHERE, commands: subcommands.map((child) => ({ ...child, load: () => openTopic(child) })) };
}

async function readWord(word: string, line: TypedLine): Promise<TypedLine> {
  const { level, open, flagsEnded } = line;
  if (open && (open.needed || !isDashed(word))) return addValue(line, open.flag, word);
  if (!flagsEnded && isDashed(word)) return word === "--" ? { ...line, open: undefined, flagsEnded: true } : readFlag(word, line);
  if (level.commands.length === 0) return { ...line, arguments: [...line.arguments, word] };
  const next = level.commands.find(({ name }) => name === word);
  return { ...line, level: next ? await next.load() : NOWHERE };
}

function isDashed(word: string): boolean {
  return word.startsWith("-") && word.length > 1;
}

function addValue(line: TypedLine, flag: NamedSpec, value: string): TypedLine {
  const { key, spec } = flag;
  return {
    ...line,
    values: { ...line.values, [key]: [...(line.values[key] ?? []), value] },
    open: spec.list ? { flag, needed: false } : undefined,
  };
}

function readFlag(word: string, line: TypedLine): TypedLine {
  const { flags, value } = splitFlag(word, line.level.table);
  const values = { ...line.values, ...Object.fromEntries(flags.map(({ key }) => [key, line.values[key] ?? []])) };
  const last = flags.at(-1);
  const withFlags = { ...line, values, open: undefined };
  if (last?.spec.argument === undefined) return withFlags;
  if (value === undefined) return { ...withFlags, open: { flag: last, needed: true } };
  // commander ends a list whose first value is in the same word.
  return { ...addValue(withFlags, last, value), open: undefined };
}

/** A word of flags: `--format`, `--format=csv`, `-f`, `-fcsv`, `-qv`, `-qfcsv`. */
interface FlagWord {
  readonly flags: readonly NamedSpec[];
  /** What stands before the value, and that; undefined without one. */
  readonly start: string;
  readonly value: string | undefined;
}

export function splitFlag(word: string, table: OptionTable): FlagWord {
  if (word.startsWith("--")) {
    const [name = "", value] = word.split(/=(.*)/s, 2);
    const flag = findFlag(table, (key, spec) => flagOf(key, spec) === name);
    return { flags: flag ? [flag] : [], start: value === undefined ? word : `${name}=`, value };
  }
  const flags: NamedSpec[] = [];
  for (let end = 2; end <= word.length; end++) {
    const flag = findFlag(table, (_key, { short }) => short === `-${word[end - 1]}`);
    if (!flag) break;
    flags.push(flag);
    if (flag.spec.argument !== undefined) return { flags, start: word.slice(0, end), value: word.slice(end) || undefined };
  }
  return { flags, start: word, value: undefined };
}

function findFlag(table: OptionTable, matches: (key: string, spec: OptionSpec) => boolean): NamedSpec | undefined {
  const found = Object.entries(table).find(([key, spec]) => matches(key, spec));
  return found && { key: found[0], spec: found[1] };
}

/** The values of a kind that are on the line, as arguments or of flags. */
export function listGiven(kind: ValueKind, { level, arguments: args, values }: TypedLine): string[] {
  const ofFlags = Object.entries(level.table).flatMap(([key, spec]) => (spec.kind === kind ? (values[key] ?? []) : []));
  return [...args.filter((_word, index) => level.arguments[index]?.kind === kind), ...ofFlags].flatMap((value) => value.split(","));
}
