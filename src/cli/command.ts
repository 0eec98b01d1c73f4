/** A command: defined with typed options by `defineCommand`, passed around untyped as a `CommandSpec`. */
import type { Context } from "../base/context.ts";
import type { Report } from "../base/report.ts";
import { flagOf, type OptionTable, type OptionValues } from "../options/spec.ts";
import { type ArgumentSpec, checkRedirect, explainMissing, type RawValues } from "./values.ts";

/** A command in the list of commands. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandSpec>;
}

/** A command's arguments, flags and help. */
export interface CommandHelp<A = readonly ArgumentSpec[], G = OptionGroups> {
  readonly arguments?: A;
  /** What to do instead where there are more arguments than that, or one that is no subcommand. */
  readonly argumentsHint?: string;
  /** Flags by the heading of help, without the global ones. */
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
export interface CommandCall {
  /** The names of the command: `["config", "set"]`. */
  readonly words: readonly string[];
  readonly arguments: readonly string[];
  readonly values: RawValues;
  readonly context: Context;
  readonly report: Report;
}

/** A checked command line. */
export interface Invocation<A, G> {
  readonly arguments: A extends readonly [{ readonly rest: true }] ? readonly string[] : { readonly [I in keyof A]: string };
  readonly options: OptionValues<TableOf<G>>;
  readonly context: Context;
  readonly report: Report;
  /** The command line as text, with some values replaced, and more words before the flags. */
  readonly describe: (changes: RawValues, more?: readonly string[]) => string;
}

interface CommandDefinition<A, G> extends CommandHelp<A, G> {
  readonly run: (invocation: Invocation<A, G>) => Promise<void>;
}

/** A command whose `run` gets its declared arguments and options, checked and with defaults. */
export function defineCommand<const A extends readonly ArgumentSpec[] = readonly [], const G extends OptionGroups = Record<never, never>>({
  run,
  ...help
}: CommandDefinition<A, G>): CommandSpec {
  const table = joinTables(help.options ?? {});
  return {
    ...help,
    run: async ({ words, arguments: args, values, context, report }) => {
      const missing = help.arguments?.[args.length];
      if (missing && !missing.rest) throw explainMissing(missing, { words, table, values });
      for (const [index, word] of args.entries()) if (help.arguments?.[index]) checkRedirect(help.arguments[index], word);
      // Loads zod, which completion does not need, nor help at other widths than the build has printed.
      const { parseOptions } = await import("../options/parse.ts");
      await run({
        arguments: args as Invocation<A, G>["arguments"],
        options: parseOptions(table, values) as OptionValues<TableOf<G>>,
        context,
        report,
        describe: (changes, more = []) => describeCommand([...words, ...args, ...more], table, { ...values, ...changes }),
      });
    },
  };
}

export function joinTables(groups: OptionGroups): OptionTable {
  return Object.fromEntries(Object.values(groups).flatMap((table) => Object.entries(table)));
}

/** All tables of a command as one. */
type TableOf<G> = { readonly [H in keyof G]: (table: G[H]) => void }[keyof G] extends (table: infer T) => void ? T : Record<never, never>;

/** The command line of these values, for messages: `ents market NEM --metrics price -o nem.csv`. */
function describeCommand(words: readonly string[], table: OptionTable, values: Readonly<Record<string, unknown>>): string {
  const flags = Object.entries(table).flatMap(([key, spec]) => {
    const value = values[key];
    if (value === undefined) return [];
    return [flagOf(key, spec), ...(typeof value === "boolean" ? [] : [value].flat().map(String))];
  });
  return ["ents", ...words, ...flags].map(quote).join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
