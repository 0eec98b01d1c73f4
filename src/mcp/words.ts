/**
 * Messages of commands in the words of tools: `--date-start` is the field `date_start`, `ents metrics price` is a call.
 */
import { type CommandSpec, joinTables } from "../cli/command.ts";
import { splitWords } from "../cli/stored-command.ts";
import { isFlagOf, type NamedOption } from "../options/spec.ts";
import { COMMAND_NAMES } from "../base/vocabulary.ts";
import { fieldOf } from "./fields.ts";

/** A tool and its arguments. */
export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The tool of each command, and the options that are fields. */
export interface Vocabulary {
  readonly commands: Readonly<Record<string, CommandSpec>>;
  /** Option keys of the fields of data tools. */
  readonly keys: readonly string[];
}

/** An object of `--errors json`. */
export interface MessageObject {
  readonly kind: string;
  readonly message: string;
  readonly flag?: string;
  readonly value?: string;
  readonly allowed?: readonly string[];
  readonly did_you_mean?: readonly string[];
  readonly next_step?: string;
}

export interface ToolMessage extends Omit<MessageObject, "flag"> {
  readonly field?: string;
}

/** `get_market {"network":"NEM"}` */
export function formatCall({ tool, input }: Call): string {
  return `${tool} ${JSON.stringify(input)}`;
}

/** `call`: the call that the message is about. */
export function toToolMessage(message: MessageObject, call: Call, vocabulary: Vocabulary): ToolMessage {
  const { kind, flag, value, allowed, did_you_mean: meant = [], next_step: step = "" } = message;
  const say = (text: string) => sayInWords(text, vocabulary);
  const corrected = correct(call, message, vocabulary);
  const steps = step.split("\n").flatMap((line) => translateClauses(line, vocabulary) || []);
  if (corrected) steps.unshift(formatCall(corrected));
  return {
    kind,
    message: say(message.message),
    ...(flag === undefined ? {} : { field: say(flag) }),
    ...(value === undefined ? {} : { value }),
    ...(allowed === undefined || allowed.length > MAX_ALLOWED ? {} : { allowed }),
    ...(meant.length === 0
      ? {}
      : { did_you_mean: meant.map((text) => say(text.startsWith("ents ") ? `'${text}'` : text)) }),
    ...(steps.length === 0 ? {} : { next_step: steps.join("\n") }),
  };
}

/** More are in the schema, or a list of their own has them. */
const MAX_ALLOWED = 20;

/** The same call with what was meant; undefined if that is neither a value of a field nor a command of the tool. */
function correct({ tool, input }: Call, message: MessageObject, vocabulary: Vocabulary): Call | undefined {
  const { value, did_you_mean: [meant] = [] } = message;
  if (value === undefined || meant === undefined || meant.startsWith("-")) return undefined;
  if (meant.startsWith("ents ")) {
    const read = readCall(meant, vocabulary);
    return read?.tool === tool ? { tool, input: { ...input, network_region: undefined, ...read.input } } : undefined;
  }
  const replace = (old: unknown): unknown => (Array.isArray(old) ? old.map(replace) : old === value ? meant : old);
  const changed = Object.fromEntries(Object.entries(input).map(([field, old]) => [field, replace(old)]));
  return JSON.stringify(changed) === JSON.stringify(input) ? undefined : { tool, input: changed };
}

/** Without the clauses that no tool can follow. */
function translateClauses(line: string, vocabulary: Vocabulary): string {
  return line
    .split("; ")
    .flatMap((clause) => toToolWords(clause, vocabulary) ?? [])
    .join("; ");
}

const COMMAND =
  /'(ents(?: [^']*)?)'|\b(ents login(?: --base-url \S+)?|ents (?:network|facilities|market|list|metrics|log|check|update|show|config)\b.*)/g;
const FLAG = /(?<![\w-])(--[a-z][a-z-]*(?:=each)?|-[a-z])(?![\w-])/g;
const FOR_PEOPLE = /^ents (login|logout|whoami)\b/;

/** The text with fields and calls; undefined if it names a flag or a command that tools do not have. */
function toToolWords(text: string, vocabulary: Vocabulary): string | undefined {
  let isKnown = true;
  const kept: string[] = [];
  const spoken = text
    // Which flag of the server made it so is of no use to a client.
    .replace(/ \(--(sandbox|base-url|cache)\)/g, "")
    .replace(COMMAND, (_, quoted: string | undefined, bare: string) => {
      const line = quoted ?? bare;
      const said = FOR_PEOPLE.test(line) ? `'${line}' in a shell` : translateCommand(line, vocabulary);
      isKnown &&= said !== undefined;
      return `\u0000${kept.push(said ?? line) - 1}\u0000`;
    })
    .replace(FLAG, (flag) => {
      const field = findField(flag, vocabulary);
      isKnown &&= field !== undefined;
      return field ?? flag;
    })
    .replace(/\u0000(\d+)\u0000/g, (_, index: string) => kept[Number(index)] ?? "");
  return isKnown ? spoken : undefined;
}

/** A flag that tools lack is called by its name. */
export function sayInWords(text: string, vocabulary: Vocabulary): string {
  return toToolWords(text, vocabulary) ?? text.replace(FLAG, (flag) => flag.replace(/^-+/, "").replaceAll("-", " "));
}

function findField(flag: string, { commands, keys }: Vocabulary): string | undefined {
  for (const spec of Object.values(commands)) {
    const found = findFlag(flag, spec);
    if (found && keys.includes(found[0])) return fieldOf(found[0]);
  }
  return undefined;
}

function findFlag(word: string, { options = {} }: CommandSpec): NamedOption | undefined {
  return Object.entries(joinTables(options)).find((option) => isFlagOf(word, option));
}

/** `ents list units bayswater` → `find_codes {"list":"units","text":"bayswater"}`; undefined if no tool does that. */
export function readCall(line: string, { commands, keys }: Vocabulary): Call | undefined {
  const [, name = "", ...words] = splitWords(line.replace(/ \.\.\.(?= |$)/g, ""));
  if (name === "log" || name === "check") return { tool: "describe_output", input: { output: words[0] } };
  const isData = COMMAND_NAMES.some((known) => known === name);
  const list = name === "list" ? words.shift() : undefined;
  const spec = list === undefined ? commands[name] : commands["list"]?.subcommands?.find((one) => one.name === list);
  const read = (isData || name === "metrics" || list !== undefined) && spec && readWords(words, spec, keys);
  if (!read || line.includes("|")) return undefined;
  const text = read.words.join(" ");
  const subject = text === "" || text === "<text>" ? {} : { [isData ? "network" : "text"]: text };
  const tool = isData ? `get_${name}` : list === undefined ? "list_metrics" : "find_codes";
  return { tool, input: { ...(list === undefined ? {} : { list }), ...subject, ...read.values } };
}

function translateCommand(line: string, vocabulary: Vocabulary): string | undefined {
  const call = readCall(line, vocabulary);
  return call && (Object.values(call.input).some((value) => value !== undefined) ? formatCall(call) : call.tool);
}

/** Flags that say where data come from, and how they are printed: a server has its own. */
const OF_SERVER: readonly string[] = ["sandbox", "baseUrl", "format", "codes", "errors"];

const IS_FLAG = /^--?[a-z]/;

/** The words before the flags, and the flags as fields; undefined if tools lack one of them. */
function readWords(
  words: readonly string[],
  spec: CommandSpec,
  keys: readonly string[],
): { readonly words: readonly string[]; readonly values: Readonly<Record<string, unknown>> } | undefined {
  const starts = words.flatMap((word, at) => (IS_FLAG.test(word) ? [at] : []));
  const values: Record<string, unknown> = {};
  for (const [index, at] of starts.entries()) {
    const option = findFlag(words[at] ?? "", spec);
    if (!option) return undefined;
    const [key, { argument, list }] = option;
    const own = words.slice(at + 1, starts[index + 1]);
    if (OF_SERVER.includes(key)) continue;
    if (!keys.includes(key)) return undefined;
    values[fieldOf(key)] = argument === undefined ? true : list ? own : own.join(" ");
  }
  return { words: words.slice(0, starts[0]), values };
}
