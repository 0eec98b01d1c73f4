/**
 * Turns commander's usage errors into errors of ents, with the word, its probable meaning, and other commands that have
 * it.
 */
import type { Command, CommanderError } from "commander";
import { type EntsError, usageError } from "../base/errors.ts";
import { findNearest } from "../base/nearest.ts";
import { formatList, quote } from "../base/phrases.ts";
import { findEquivalent, findNamesLike, OTHER_NAMES, VERSION_HINT } from "../base/other-names.ts";
import { isMetric } from "../base/computed-metrics.ts";
import { COMMAND_NAMES } from "../base/vocabulary.ts";
import { explainTooManyValues, findFlagWithChoice } from "../options/check.ts";
import { COMMON_OPTIONS } from "../options/fetch-options.ts";
import { flagOf, isFlagOf, type NamedOption, type OptionSpec, type OptionTable } from "../options/spec.ts";
import { findMeantDuration } from "../time/duration.ts";
import { isPeriod } from "../time/when.ts";
import { findKind, suggestLine } from "./complete-line.ts";
import { type CommandEntry, type CommandSpec, joinTables } from "./command.ts";
import { type ArgumentSpec, explainMissingValue, isFlag, listLineage } from "./values.ts";

/** A command with its flags in one table; without flags for `ents` itself. */
interface KnownCommand {
  /** `ents config set` */
  readonly name: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly argumentsHint?: string | undefined;
  readonly table: OptionTable;
}

interface Mistake {
  readonly called: KnownCommand;
  readonly known: readonly KnownCommand[];
  readonly argv: readonly string[];
}

export async function loadCommands(entries: readonly CommandEntry[]): Promise<KnownCommand[]> {
  const lists = await Promise.all(entries.map(async ({ name, load }) => listCommands(`ents ${name}`, await load())));
  return lists.flat();
}

function listCommands(
  name: string,
  { arguments: args = [], argumentsHint, options = {}, subcommands = [] }: CommandSpec,
): KnownCommand[] {
  return [
    { name, arguments: args, argumentsHint, table: joinTables(options) },
    ...subcommands.flatMap((child) => listCommands(`${name} ${child.name}`, child)),
  ];
}

/** The error code for a flag's value in the place of an argument. */
export const MISPLACED = "ents.misplaced";

export async function explainMisuse(
  { code, message: text, command }: CommanderError & { readonly command: Command },
  argv: readonly string[],
  entries: readonly CommandEntry[],
): Promise<EntsError> {
  const names = listLineage(command).map((level) => level.name());
  const name = names.join(" ");
  const known = await loadCommands(entries);
  const called = known.find((level) => level.name === name) ?? { name, arguments: [], table: {} };
  const mistake = { called, known, argv };
  const children = command.commands.map((child) => child.name()).filter((child) => child !== "help");
  const [message = ""] = text.replace(/^error: /, "").split("\n");
  switch (code) {
    case "commander.help": {
      // commander has already printed the command's help.
      const needs = `'${name}' needs a ${argumentKindOf(name)}`;
      return argv.includes("-v")
        ? usageError(needs, VERSION_HINT)
        : usageError(`${needs}: ${formatList(children, "or")}`, undefined, { allowed: children });
    }
    case "commander.unknownCommand":
      return explainCommand(command.args.find((argument) => argument !== "help") ?? "", children, mistake);
    case "commander.unknownOption":
      // Without its value, which may be a token.
      return explainFlag(/'([^'=]+)/.exec(message)?.[1] ?? "", mistake);
    case "commander.excessArguments":
      return explainExtraArgument(command.args, mistake);
    case MISPLACED:
      return explainWords(command.args, mistake) ?? usageError(seeHelp(called));
    default:
      return usageError(
        message.replace(/^option '(?:-\w, )?(--[\w-]+).*' argument missing$/, "$1 needs a value"),
        seeHelp(called),
      );
  }
}

function seeHelp({ name }: KnownCommand): string {
  return `see '${name} --help'`;
}

function explainCommand(word: string, children: readonly string[], mistake: Mistake): EntsError {
  const { called, known, argv } = mistake;
  const [isRoot, isList] = [called.name === "ents", called.name === "ents list"];
  const meantLine = isRoot ? explainWords(listPlainWords(argv, known), mistake) : undefined;
  if (meantLine) return meantLine;
  const unknown = `unknown ${argumentKindOf(called.name)} "${word}"`;
  const nearest = [
    ...findNearest(word, children),
    ...(isList ? findNamesLike(word.replace(/s$/, ""), OTHER_NAMES.lists) : []),
  ];
  const listWith = (...words: string[]) =>
    `'ents ${argv.flatMap((own) => (own === word ? words : [quote(own)])).join(" ")}'`;
  if (isList && nearest.length === 0 && SEARCH_WORD.test(word))
    return usageError(unknown, `name a list first: ${listWith("facilities", word)} or ${listWith("units", word)}`);
  if (isList && nearest[0] !== undefined)
    return usageError(unknown, `use ${listWith(nearest[0])}`, { value: word, allowed: children, didYouMean: nearest });
  const foreign = isRoot ? findNamesLike(word, OTHER_NAMES.commands) : [];
  // `ents units` for `ents list units`.
  const elsewhere = known.filter(({ name }) => name.endsWith(` ${word}`)).map(({ name }) => `'${name}'`);
  const [meant = []] = [word === "version" ? ["ents --version"] : [], nearest, foreign, elsewhere].filter(
    (names) => names.length > 0,
  );
  const all = argumentKindOf(called.name) === "shell" ? `use ${formatList(children, "or")}` : seeHelp(called);
  return usageError(unknown, called.argumentsHint ?? all, { value: word, allowed: children, didYouMean: meant });
}

const SEARCH_WORD = /^[a-z][a-z-]{1,19}$/i;

function argumentKindOf(command: string): string {
  if (command === "ents list") return "list";
  return command === "ents completion" ? "shell" : "command";
}

/**
 * Explains an extra word: a flag's second value, a metric without its flag, or an argument. Not always shown: it may be
 * a token.
 */
function explainExtraArgument(words: readonly string[], mistake: Mistake): EntsError {
  const { called, argv } = mistake;
  const { name, table, arguments: args, argumentsHint } = called;
  const strangers = words.filter((word) => args.some(({ recognize }) => recognize && recognize(word) === undefined));
  const extra = strangers.length > 0 && strangers.length < words.length ? strangers : words.slice(args.length);
  const [word = ""] = extra;
  const before = findFlagBefore(argv.lastIndexOf(word), table, argv);
  const meant = "metrics" in table && (!before || extra.some(isMetric)) ? explainWords(words, mistake) : undefined;
  if (meant) return meant;
  if (!before) {
    const excess = `too many arguments: expected ${args.length}, got ${words.length}`;
    const hint = extra.every((argument) => findKind(argument) === "network") ? "one network at a time" : argumentsHint;
    return usageError(args.length === 0 ? `'${name}' takes no arguments` : excess, hint ?? seeHelp(called));
  }
  const [key, spec, value] = before;
  const flag = flagOf(key, spec);
  if (isFlag(value)) return explainMissingValue(flag, value);
  if (key.startsWith("date") && /^\d\d?:\d\d/.test(word)) {
    return usageError(`${flag} takes date and time as one word`, `use ${flag} ${value}T${word}`);
  }
  const { message, hint } = explainTooManyValues(key, spec);
  const duration = spec.schema === "duration" ? findMeantDuration(`${value} ${word}`) : undefined;
  return usageError(message, duration === undefined ? hint : `use ${flag} ${duration}`);
}

/** The words that are neither flags nor values of flags. The word after an unknown flag may be its value. */
function listPlainWords(argv: readonly string[], known: readonly KnownCommand[]): string[] {
  const table = Object.assign({}, ...known.map((command) => command.table), COMMON_OPTIONS) as OptionTable;
  const words: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string;
    const [, spec] = findOption(table, word.split("=")[0] ?? "") ?? [];
    if (!isFlag(word)) words.push(word);
    else if (word.includes("=")) continue;
    else if (spec?.list) while (at + 1 < argv.length && !isFlag(argv[at + 1] as string)) at++;
    else if (!spec || spec.argument !== undefined) at++;
  }
  return words;
}

/** Explains networks, regions and metrics typed without their command or flag. */
function explainWords(words: readonly string[], { called, known, argv }: Mistake): EntsError | undefined {
  const findTable = (command: string) => known.find(({ name }) => name === `ents ${command}`)?.table ?? {};
  const flags = [...argv];
  for (const word of [...called.name.split(" ").slice(1), ...words]) flags.splice(flags.indexOf(word), 1);
  const meant = suggestLine({
    command: COMMAND_NAMES.find((name) => called.name === `ents ${name}`),
    words,
    flags,
    isFlagOf: (command, flag) =>
      findOption({ ...findTable(command), ...COMMON_OPTIONS }, flag.split("=")[0] ?? "") !== undefined,
    findChoice: (command, word) => findFlagWithChoice(word, findTable(command)),
  });
  return meant && usageError(meant.problem, meant.line);
}

/** The single-value flag whose value directly precedes a word, with that value. */
function findFlagBefore(
  index: number,
  table: OptionTable,
  argv: readonly string[],
): [...NamedOption, string] | undefined {
  const [flag = "", value = ""] = argv.slice(index - 2, index);
  const options = Object.entries(table).filter(([, { argument, list }]) => argument !== undefined && !list);
  const apart = options.find((option) => isFlagOf(flag, option));
  if (apart) return [...apart, value];
  for (const [key, spec] of options) {
    const start = [`${flagOf(key, spec)}=`, spec.short].find(
      (prefix) => prefix !== undefined && value.startsWith(prefix),
    );
    if (start !== undefined) return [key, spec, value.slice(start.length)];
  }
  return undefined;
}

function explainFlag(flag: string, mistake: Mistake): EntsError {
  const { called, known } = mistake;
  const table = { ...called.table, ...COMMON_OPTIONS };
  const spelt = Object.values<OptionSpec>(table).find(({ spelling }) => spelling?.startsWith(`${flag}=`))?.spelling;
  if (findOption(table, flag))
    return usageError(`${flag} takes no value`, spelt ? `use ${flag} or ${spelt}` : seeHelp(called));
  const name = flag.replace(/^-+/, "");
  const unknown = `unknown flag ${flag}`;
  if (/^-(help|version)$/.test(flag)) return usageError(unknown, seeHelp(called), { flag, didYouMean: [`-${flag}`] });
  const meantArguments = findNamesLike(name, OTHER_NAMES.arguments);
  const argument = called.arguments.find(
    ({ name: own }) => name.length > 1 && (own.split("_")[0] === name.split("-")[0] || meantArguments.includes(own)),
  );
  if (argument)
    return usageError(
      argument.rest ? unknown : `${unknown}; the ${argument.name.replaceAll("_", " ")} has no flag`,
      argument.hint,
    );
  const same = findOtherNames(name, called);
  if (same.length > 0) return usageError(unknown, seeHelp(called), { flag, didYouMean: same });
  const owners = findOwners(flag, mistake);
  if (owners.length > 0) return explainMisplaced(flag, owners, mistake);
  const equivalent = findEquivalent(name, "flags");
  if (equivalent) return usageError(unknown, equivalent.hint);
  const isDate = "during" in called.table && isPeriod(name);
  const meant = isDate ? [`--during ${name}`] : findFlagWithChoice(name, called.table);
  if (meant.length > 0) return usageError(unknown, seeHelp(called), { flag, didYouMean: meant });
  const elsewhere = known.map((command) => findMeantFlags(name, command)).find((flags) => flags.length > 0);
  if (elsewhere && called.name === "ents") {
    return usageError(unknown, "flags go after the command; see 'ents --help' for all commands", {
      flag,
      didYouMean: elsewhere,
    });
  }
  const [other] = elsewhere?.[0]?.split(" ") ?? [];
  if (other !== undefined)
    return usageError(`${unknown}; ${formatOwners(findOwners(other, mistake))} ${other}`, seeHelp(called));
  const flags = Object.entries(table).map(([key, spec]) => flagOf(key, spec));
  return usageError(unknown, seeHelp(called), {
    flag,
    didYouMean: name.length > 1 ? findNearest(`--${name}`, flags) : [],
  });
}

/** Flags that other tools call by this name, else flags with a value of this name: `--json` is `--format json`. */
function findMeantFlags(name: string, command: KnownCommand): string[] {
  const same = findOtherNames(name, command);
  return same.length > 0 ? same : findFlagWithChoice(name, command.table);
}

function findOtherNames(name: string, command: KnownCommand): string[] {
  const meant = findNamesLike(name, OTHER_NAMES.flags);
  const flags = Object.entries<OptionSpec>({ ...command.table, ...COMMON_OPTIONS }).map((option) => flagOf(...option));
  return flags.filter((flag) => meant.includes(flag) || meant.includes(`${command.name} ${flag}`));
}

/**
 * Commands that have a flag: siblings of this one, else those that send it to the service, else those that fetch, else
 * all.
 */
function findOwners(flag: string, { called, known }: Mistake): readonly KnownCommand[] {
  const owners = known.filter(({ table }) => findOption(table, flag));
  const parent = /^ents \w+ (?=\w)/.exec(called.name)?.[0];
  const siblings = owners.filter(({ name }) => parent !== undefined && name.startsWith(parent));
  if (siblings.length > 0) return siblings;
  const senders = owners.filter(({ table }) => findOption(table, flag)?.[1].parameter !== undefined);
  const fetching = owners.filter(({ name }) => COMMAND_NAMES.some((command) => name === `ents ${command}`));
  return [senders, fetching].find((group) => group.length > 0) ?? owners;
}

function explainMisplaced(flag: string, owners: readonly KnownCommand[], { called, argv }: Mistake): EntsError {
  if (called.name !== "ents") {
    return usageError(`'${called.name}' has no ${flag}; ${formatOwners(owners)} it`, seeHelp(called));
  }
  const owner = owners.find(({ name }) => argv.includes(name.split(" ")[1] ?? "")) ?? owners[0] ?? called;
  return usageError(`${flag} goes after the command: ${owner.name} ... ${flag}`, seeHelp(owner));
}

/** `'ents network' and 'ents market' have` */
function formatOwners(owners: readonly KnownCommand[]): string {
  const all = owners.map(({ name }) => `'${name}'`);
  const names = all.length > 5 ? [...all.slice(0, 3), "others"] : all;
  return `${formatList(names, "and")} ${names.length > 1 ? "have" : "has"}`;
}

function findOption(table: OptionTable, flag: string): NamedOption | undefined {
  return Object.entries(table).find((option) => isFlagOf(flag, option));
}
