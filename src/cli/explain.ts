/** commander's usage errors as errors of ents. */
import { type EntsError, usageError } from "../base/errors.ts";
import { didYouMean, findNearest, formatList } from "../base/phrases.ts";
import type { CommandEntry } from "./command.ts";
import { explainFlag, VERSION } from "./explain-flag.ts";
import { type KnownCommand, loadCommands, type Mistake, seeHelp } from "./known-commands.ts";
import type { Misuse } from "./misuse.ts";
import { explainSwallowed, isFlag, listLineage } from "./values.ts";
import { isMetric } from "../base/vocabulary.ts";
import { explainSeveral } from "../options/check.ts";
import { flagOf, type OptionSpec } from "../options/spec.ts";

/** Names the word, what was probably meant, and the commands that have it where this one does not. */
export async function explainMisuse(
  { error, command }: Misuse,
  argv: readonly string[],
  entries: readonly CommandEntry[],
): Promise<EntsError> {
  const name = listLineage(command)
    .map((one) => one.name())
    .join(" ");
  const known = await loadCommands(entries);
  const mistake = {
    called: known.find((one) => one.name === name) ?? { name, arguments: [], argumentsHint: undefined, table: {} },
    known,
    argv,
  };
  const children = command.commands.map((child) => child.name()).filter((child) => child !== "help");
  const [message = ""] = error.message.replace(/^error: /, "").split("\n");
  switch (error.code) {
    case "commander.help": {
      // Its help is printed.
      const needs = `'${name}' needs a ${kindOf(name)}`;
      return argv.includes("-v")
        ? usageError(needs, `for the version, use '${VERSION}'`)
        : usageError(`${needs}: ${formatList(children, "or")}`);
    }
    case "commander.unknownCommand":
      return explainCommand(command.args.find((one) => one !== "help") ?? "", children, mistake);
    case "commander.unknownOption":
      // Without its value, which may be a token.
      return explainFlag(/'([^'=]+)/.exec(message)?.[1] ?? "", mistake);
    case "commander.excessArguments":
      return explainExtraArgument(command.args, mistake);
    default:
      return usageError(message.replace(/^option '(?:-\w, )?(--[\w-]+).*' argument missing$/, "$1 needs a value"), seeHelp(name));
  }
}

/** With the children of the command that was called. */
function explainCommand(word: string, children: readonly string[], { called, known }: Mistake): EntsError {
  const nearest = findNearest(word, children);
  // `ents units` for `ents list units`.
  const elsewhere = known.filter(({ name }) => name.endsWith(` ${word}`)).map(({ name }) => `'${name}'`);
  const meant = word === "version" ? [VERSION] : nearest.length > 0 ? nearest : elsewhere;
  return usageError(`unknown ${kindOf(called.name)} "${word}"${didYouMean(meant)}`, called.argumentsHint ?? seeHelp(called.name));
}

/** What the children of a command are to a user. */
function kindOf(command: string): string {
  if (command === "ents list") return "list";
  return command === "ents completion" ? "shell" : "command";
}

/** One word too many: a second value of a flag, a metric without its flag, or an argument. It may be a token, so not every message shows it. */
function explainExtraArgument(words: readonly string[], { called, argv }: Mistake): EntsError {
  const { name, table, arguments: args } = called;
  const strangers = words.filter((word) => args.some(({ recognize }) => recognize && recognize(word) === undefined));
  const extra = strangers.length > 0 && strangers.length < words.length ? strangers : words.slice(args.length);
  const metrics = "metrics" in table ? extra.filter(isMetric) : [];
  if (metrics.length > 0) {
    const rest = words.filter((word) => !isMetric(word));
    return usageError(`"${metrics[0]}" is a metric: put -m before it`, [name, ...rest, "-m", ...metrics].join(" "));
  }
  const [word = ""] = extra;
  const before = findFlagBefore(argv.lastIndexOf(word), called, argv);
  if (!before) return usageError(describeExcess(words, called), called.argumentsHint ?? seeHelp(name));
  const { key, spec, value } = before;
  if (isFlag(value)) return explainSwallowed(flagOf(key, spec), value);
  if (key.startsWith("date") && /^\d\d?:\d\d/.test(word)) {
    const flag = flagOf(key, spec);
    return usageError(`${flag} takes date and time as one word`, `use ${flag} ${value}T${word}`);
  }
  const { message, hint } = explainSeveral(key, spec);
  return usageError(message, hint);
}

function describeExcess(words: readonly string[], { name, arguments: args }: KnownCommand): string {
  return args.length === 0 ? `'${name}' takes no arguments` : `too many arguments: expected ${args.length}, got ${words.length}`;
}

interface GivenFlag {
  readonly key: string;
  readonly spec: OptionSpec;
  readonly value: string;
}

/** The flag of one value whose value stands right before a word. */
function findFlagBefore(index: number, { table }: Mistake["called"], argv: readonly string[]): GivenFlag | undefined {
  const [flag = "", value = ""] = argv.slice(index - 2, index);
  const entries = Object.entries(table).filter(([, { argument, list }]) => argument !== undefined && !list);
  const apart = entries.find(([key, spec]) => flag === flagOf(key, spec) || flag === spec.short);
  if (apart) return { key: apart[0], spec: apart[1], value };
  for (const [key, spec] of entries) {
    if (value.startsWith(`${flagOf(key, spec)}=`)) return { key, spec, value: value.slice(value.indexOf("=") + 1) };
    if (spec.short && value.startsWith(spec.short)) return { key, spec, value: value.slice(spec.short.length) };
  }
  return undefined;
}
