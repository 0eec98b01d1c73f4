/**
 * `ents help --json`: the command line as data, from the tables that parser, checks and help read.
 * docs/help.schema.json describes it.
 */
import { listMetricsOf } from "../base/computed-metrics.ts";
import { EXIT_CODES } from "../base/exit-codes.ts";
import { COMMAND_NAMES } from "../base/vocabulary.ts";
import { COMMON_OPTIONS } from "../options/fetch-options.ts";
import { flagOf, type NamedOption, type OptionTable } from "../options/spec.ts";
import { listPivotLabels } from "../query/checks.ts";
import { type CommandEntry, joinTables, type NamedCommand } from "./command.ts";
import { ENVIRONMENT, formatUsage, HELP_SUMMARY } from "./help.ts";
import type { ArgumentSpec } from "./values.ts";

/**
 * All commands, or those whose names begin with `words`; undefined if there are none. What is empty or false is left
 * out.
 */
export async function describeCommandLine(
  entries: readonly CommandEntry[],
  { version, words }: { readonly version: string; readonly words: readonly string[] },
): Promise<object | undefined> {
  const specs = await Promise.all(entries.map(async (entry) => ({ ...entry, ...(await entry.load()) })));
  const commands = [...specs.flatMap((spec) => describeCommandTree(spec, ["ents"])), HELP];
  const name = ["ents", ...words].join(" ");
  const asked = commands.filter((command) => command.name === name || command.name.startsWith(`${name} `));
  if (asked.length === 0) return undefined;
  return {
    version,
    commands: asked,
    common_flags: describeFlags(Object.entries(COMMON_OPTIONS), COMMON_OPTIONS),
    // They are the same for each command.
    ...(words.length > 0 ? {} : { exit_codes: describeExitCodes(), environment: ENVIRONMENT }),
  };
}

const HELP = {
  name: "ents help",
  summary: HELP_SUMMARY,
  usage: "ents help [command...] [--json]",
  arguments: [{ name: "command", list: true, hint: "name a command: ents help market" }],
  flags: [{ flag: "--json", help: "print all commands, or those named, as JSON" }],
};

function describeExitCodes(): object[] {
  return Object.entries(EXIT_CODES).map(([kind, { code, meaning }]) => ({ code, kind, meaning }));
}

function describeCommandTree(spec: NamedCommand, above: readonly string[]): { readonly name: string }[] {
  const { summary, arguments: args = [], options = {}, examples, notes, subcommands = [], run } = spec;
  const words = [...above, spec.name];
  const name = words.join(" ");
  const table = joinTables(options);
  const flags = describeFlags(Object.entries(table), table, spec.name);
  const usage = `${name} ${formatUsage(spec)}`;
  const own = dropEmpty({ name, summary, usage, arguments: args.map(describeArgument), flags, examples, notes });
  return [...(run ? [{ ...own, name }] : []), ...subcommands.flatMap((child) => describeCommandTree(child, words))];
}

function describeArgument({ name, rest, choices, hint }: ArgumentSpec): object {
  return dropEmpty({ name, required: !rest, list: rest, choices, hint });
}

function describeFlags(flags: readonly NamedOption[], table: OptionTable, command?: string): object[] {
  const nameFlag = (key: string) => flagOf(key, table[key]);
  const nameFlags = (keys: readonly string[] = []) => keys.filter((key) => key in table).map(nameFlag);
  return flags.map(([key, spec]) =>
    dropEmpty({
      flag: nameFlag(key),
      short: spec.short,
      help: spec.help,
      argument: spec.argument,
      list: spec.list,
      required: spec.required,
      choices: listChoicesOf(key, command) ?? spec.offered ?? spec.choices,
      choices_from: spec.choicesIn,
      max_values: spec.maxValues,
      default: spec.default,
      default_text: spec.defaultText ?? spec.serviceDefault,
      lifted_by: spec.relaxedBy && nameFlag(spec.relaxedBy),
      needs: nameFlags(spec.needs),
      needs_one: nameFlags(spec.needsOne),
      conflicts: nameFlags(listConflicts(key, table)),
      parameter: spec.parameter,
      also: spec.aliases?.map((alias) => flagOf(alias)),
      setting: spec.isSetting && flagOf(key).slice("--".length),
    }),
  );
}

/** Choices that depend on the command; undefined for others. */
function listChoicesOf(key: string, command: string | undefined): readonly string[] | undefined {
  const name = COMMAND_NAMES.find((known) => known === command);
  if (name === undefined) return undefined;
  if (key === "metrics") return listMetricsOf(name);
  return key === "pivot" ? listPivotLabels(name) : undefined;
}

/** In both directions, whichever of the two says so. */
function listConflicts(key: string, table: OptionTable): readonly string[] {
  const others = Object.entries(table).filter(([, { conflicts = [] }]) => conflicts.includes(key));
  return [...new Set([...(table[key]?.conflicts ?? []), ...others.map(([other]) => other)])];
}

function dropEmpty(object: object): object {
  const isEmpty = (value: unknown) =>
    value === undefined || value === false || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
}
