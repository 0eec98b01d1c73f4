/** What a word can become, by the option tables. */
import { supportsFlag } from "../../format/name-formats.ts";
import { flagOf, type OptionTable } from "../../options/spec.ts";
import type { ArgumentSpec } from "../values.ts";
import type { Suggestion, Completion, CompletionContext } from "./candidate.ts";
import { listFiles } from "./files.ts";
import { type TypedLine, type NamedSpec, splitFlag } from "./line.ts";
import { listValues } from "./values.ts";
import type { TypedWord } from "./words.ts";

type Word = Pick<TypedWord, "text" | "hasTilde">;

/** Not filtered by what the word has after the prefix, except for short flags and hidden files. */
export async function complete(word: Word, line: TypedLine, around: CompletionContext): Promise<Completion> {
  const { text } = word;
  const { open, level } = line;
  if (open?.needed) return completeValue(open.flag, word, { line, around });
  if (text.startsWith("-") && !line.flagsEnded) return completeFlag(word, { line, around });
  if (open) return completeValue(open.flag, word, { line, around });
  if (level.commands.length > 0) return plain(level.commands.map(({ name, summary }) => ({ value: name, help: summary })));
  const argument = level.arguments[line.arguments.length] ?? level.arguments.find(({ rest }) => rest);
  const completion = argument ? await completeArgument(argument, { line, around }) : plain([]);
  const isOver = completion.candidates.length === 0 && (!argument || argument.rest);
  return isOver && text === "" && !line.flagsEnded ? plain(listNextFlags(line)) : completion;
}

interface Situation {
  readonly line: TypedLine;
  readonly around: CompletionContext;
}

function plain(candidates: readonly Suggestion[]): Completion {
  return { prefix: "", candidates };
}

async function completeArgument(argument: ArgumentSpec, { line, around }: Situation): Promise<Completion> {
  const candidates = await listValues(argument, line, around);
  return plain(candidates.filter(({ value }) => !line.arguments.includes(value)));
}

async function completeValue({ key, spec }: NamedSpec, word: Word, situation: Situation): Promise<Completion> {
  const { line, around } = situation;
  const { text, hasTilde } = word;
  if (spec.kind === "file") return listFiles(text, { ...around, hasTilde });
  if (!spec.list) return plain(await listValues(spec, line, around));
  if (text.startsWith("@")) return within("@", listFiles(text.slice(1), { ...around, hasTilde: false }));
  const prefix = text.slice(0, text.lastIndexOf(",") + 1);
  const used = new Set([...(line.values[key] ?? []), prefix].flatMap((value) => value.split(",")));
  const values = await listValues(spec, line, around);
  return { prefix, candidates: values.filter(({ value }) => !used.has(value)) };
}

function within(start: string, { prefix, candidates }: Completion): Completion {
  return { prefix: start + prefix, candidates };
}

async function completeFlag(word: Word, situation: Situation): Promise<Completion> {
  const { line } = situation;
  const { text } = word;
  const { flags, start, value } = splitFlag(text, line.level.table);
  const flag = flags.at(-1);
  if (flag && flag.spec.argument !== undefined && value !== undefined) {
    return within(start, await completeValue(flag, { text: value, hasTilde: false }, situation));
  }
  if (text.startsWith("--") || text === "-") return plain(listFlags(line));
  // Short flags: complete, if all of them are known.
  return plain(flag && flags.length === text.length - 1 ? [{ value: text, help: flag.spec.help }] : []);
}

/** Where no word has begun: those that must come, else all. */
function listNextFlags(line: TypedLine): Suggestion[] {
  const missing = Object.entries(line.level.table).filter(([key, { required }]) => required && line.values[key] === undefined);
  return missing.length > 0 ? describeFlags(Object.fromEntries(missing)) : listFlags(line);
}

function listFlags({ level: { table, extraFlags }, values }: TypedLine): Suggestion[] {
  const format = values["format"]?.at(-1) ?? "";
  const isGiven = (key: string) => values[key] !== undefined;
  const excluded = new Set(Object.keys(values).flatMap((key) => table[key]?.conflicts ?? []));
  const possible = Object.entries(table)
    .filter(([key, { list, conflicts = [] }]) => (list || !isGiven(key)) && !excluded.has(key) && !conflicts.some(isGiven))
    .filter(([key]) => supportsFlag(format, key, values));
  const extra = Object.entries(extraFlags).map(([value, help]) => ({ value, help }));
  return [...describeFlags(Object.fromEntries(possible)), ...extra];
}

function describeFlags(table: OptionTable): Suggestion[] {
  return Object.entries(table).map(([key, spec]) => ({ value: flagOf(key, spec), help: spec.help }));
}
