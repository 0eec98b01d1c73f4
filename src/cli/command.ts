/** A command: defined with typed options by `defineCommand`, passed around untyped as a `CommandSpec`. */
import { parseOptions } from "../options/parse.ts";
import type { Surroundings } from "../base/report.ts";
import { quote } from "../base/phrases.ts";
import { flagOf, type OptionTable, type OptionValues } from "../options/spec.ts";
import { type ArgumentSpec, checkRedirect, type DescribeCommand, explainMissing, type RawValues } from "./values.ts";

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandSpec>;
}

export interface CommandHelp<A = readonly ArgumentSpec[], G = OptionGroups> {
  readonly arguments?: A;
  /** The hint for too many arguments or an unknown subcommand. */
  readonly argumentsHint?: string;
  /** Flags by help heading, without the global ones. */
  readonly options?: G;
  readonly examples?: readonly Example[];
  /** More paragraphs of help, by heading. */
  readonly notes?: Readonly<Record<string, readonly string[]>>;
}

export interface CommandSpec extends CommandHelp {
  readonly subcommands?: readonly NamedCommand[];
  readonly run?: (call: CommandCall) => Promise<void>;
}

export type NamedCommand = CommandSpec & Pick<CommandEntry, "name" | "summary">;

export type OptionGroups = Readonly<Record<string, OptionTable>>;

export interface Example {
  readonly command: string;
  readonly does: string;
}

/** A command line, not checked yet. */
export interface CommandCall extends Surroundings {
  /** The names of the command: `["config", "set"]`. */
  readonly words: readonly string[];
  readonly arguments: readonly string[];
  readonly values: RawValues;
}

/** A checked command line. */
interface Invocation<A, G> extends Surroundings {
  readonly arguments: A extends readonly [{ readonly rest: true }]
    ? readonly string[]
    : { readonly [I in keyof A]: string };
  readonly options: OptionValues<TableOf<G>>;
  /** The options that were given, unchecked. */
  readonly given: RawValues;
  readonly describe: DescribeCommand;
}

/** A command whose `run` gets its declared arguments and options, checked and with defaults. */
export function defineCommand<
  const A extends readonly ArgumentSpec[] = readonly [],
  const G extends OptionGroups = Record<never, never>,
>({
  run,
  ...help
}: CommandHelp<A, G> & { readonly run: (invocation: Invocation<A, G>) => Promise<void> }): CommandSpec {
  const table = joinTables(help.options ?? {});
  return {
    ...help,
    run: async ({ words, arguments: args, values, context, report }) => {
      const missing = help.arguments?.[args.length];
      const describe: DescribeCommand = (changes, more = []) =>
        describeCommand([...words, ...args, ...more], table, { ...values, ...changes });
      if (missing && !missing.rest) throw explainMissing(missing, { words, values, describe }, table);
      help.arguments?.forEach((argument, index) => checkRedirect(argument, args[index] ?? ""));
      await run({
        arguments: args as Invocation<A, G>["arguments"],
        options: parseOptions(table, values, describe) as OptionValues<TableOf<G>>,
        given: values,
        context,
        report,
        describe,
      });
    },
  };
}

export function joinTables(groups: OptionGroups): OptionTable {
  return Object.assign({}, ...Object.values(groups)) as OptionTable;
}

/** All option tables of a command, merged. */
type TableOf<G> = { readonly [H in keyof G]: (table: G[H]) => void }[keyof G] extends (table: infer T) => void
  ? T
  : Record<never, never>;

/** The command line of these values, for messages: `ents market NEM --metrics price -o nem.csv`. */
export function describeCommand(
  words: readonly string[],
  table: OptionTable,
  values: Readonly<Record<string, unknown>>,
): string {
  const flags = Object.entries(table).flatMap(([key, spec]) => {
    const value = values[key];
    if (value === undefined) return [];
    return [flagOf(key, spec), ...(typeof value === "boolean" ? [] : [value].flat().map(String))];
  });
  return ["ents", ...words, ...flags].map((word) => quote(word)).join(" ");
}
