/**
 * `ents help --json`: the command line as data, from the tables that parser and help read. docs/help.schema.json
 * describes it.
 */
import { EXIT_CODES } from "../base/exit-codes.ts";
import { COMMON_OPTIONS } from "../options/fetch-options.ts";
import { flagOf, flagSyntax, type NamedOption, type OptionTable } from "../options/spec.ts";
import { type CommandEntry, joinTables, type NamedCommand } from "./command.ts";
import { ENVIRONMENT, formatUsage, groupFlags } from "./help.ts";
import type { ArgumentSpec } from "./values.ts";

/** All commands, or those whose names begin with `words`; undefined if there are none. */
export async function describeCommandLine(
  entries: readonly CommandEntry[],
  { version, words }: { readonly version: string; readonly words: readonly string[] },
): Promise<object | undefined> {
  const specs = await Promise.all(entries.map(async (entry) => ({ ...entry, ...(await entry.load()) })));
  const commands = specs.flatMap((spec) => describeCommandTree(spec, ["ents"]));
  const name = ["ents", ...words].join(" ");
  const asked = commands.filter(
    (command) => words.length === 0 || command.name === name || command.name.startsWith(`${name} `),
  );
  if (asked.length === 0) return undefined;
  return {
    version,
    commands: asked,
    common_flags: describeFlags(Object.entries<OptionTable[string]>(COMMON_OPTIONS), COMMON_OPTIONS),
    exit_codes: Object.entries(EXIT_CODES).map(([kind, { code, meaning }]) => ({ code, kind, meaning })),
    environment: ENVIRONMENT,
  };
}

function describeCommandTree(spec: NamedCommand, above: readonly string[]): { readonly name: string }[] {
  const { summary, arguments: args = [], options = {}, examples = [], notes = {}, subcommands = [], run } = spec;
  const words = [...above, spec.name];
  const name = words.join(" ");
  const flags = [...groupFlags(options)].flatMap(([group, own]) => describeFlags(own, joinTables(options), group));
  const own = {
    name,
    summary,
    usage: `${name} ${formatUsage(spec)}`,
    arguments: args.map(describeArgument),
    flags,
    examples,
    notes,
  };
  return [...(run ? [own] : []), ...subcommands.flatMap((child) => describeCommandTree(child, words))];
}

function describeArgument({ name, rest = false, choices, hint }: ArgumentSpec): object {
  return { name, required: !rest, list: rest, choices, hint };
}

function describeFlags(flags: readonly NamedOption[], table: OptionTable, group = "Global"): object[] {
  const nameFlag = (key: string) => flagOf(key, table[key]);
  return flags.map(([key, spec]) => ({
    flag: nameFlag(key),
    short: spec.short,
    syntax: flagSyntax(key, spec),
    group,
    help: spec.help,
    argument: spec.argument,
    list: spec.list ?? false,
    required: spec.required ?? false,
    choices: spec.offered ?? spec.choices,
    choices_from: spec.choicesIn,
    max_values: spec.maxValues,
    default: spec.default,
    default_text: spec.defaultText,
    lifted_by: spec.relaxedBy && nameFlag(spec.relaxedBy),
    needs: spec.needs?.map(nameFlag),
    conflicts: spec.conflicts?.map(nameFlag),
    parameter: spec.parameter,
    also: spec.aliases?.map((alias) => flagOf(alias)),
    setting: spec.isSetting && flagOf(key).slice("--".length),
  }));
}
