import type { OptionTable } from "../options/spec.ts";
import type { ArgumentSpec } from "./values.ts";
import { type CommandEntry, type CommandSpec, joinTables } from "./command.ts";

/** A command with its flags, for messages about a command line that is wrong. */
export interface KnownCommand {
  /** `ents config set` */
  readonly name: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly argumentsHint: string | undefined;
  readonly table: OptionTable;
}

/** A command line that is wrong. */
export interface Mistake {
  /** The command that was called; without flags for `ents` itself. */
  readonly called: KnownCommand;
  readonly known: readonly KnownCommand[];
  readonly argv: readonly string[];
}

export async function loadCommands(entries: readonly CommandEntry[]): Promise<KnownCommand[]> {
  const specs = await Promise.all(entries.map(async (entry) => ({ ...entry, ...(await entry.load()) })));
  return specs.flatMap((spec) => listCommands(`ents ${spec.name}`, spec));
}

export function seeHelp(name: string): string {
  return `see '${name} --help'`;
}

function listCommands(name: string, { arguments: args = [], argumentsHint, options = {}, subcommands = [] }: CommandSpec): KnownCommand[] {
  return [
    { name, arguments: args, argumentsHint, table: joinTables(options) },
    ...subcommands.flatMap((child) => listCommands(`${name} ${child.name}`, child)),
  ];
}
