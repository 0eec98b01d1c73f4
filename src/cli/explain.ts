/** commander's usage errors as errors of ents. */
import type { Command, CommanderError } from "commander";
import { type EntsError, usageError } from "../base/errors.ts";
import { findNearest, formatList } from "../base/suggest.ts";
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { QUERY_OPTIONS } from "../options/query-options.ts";
import { flagOf, type OptionSpec } from "../options/spec.ts";
import { listLineage } from "./values.ts";

/** Names the flag, and the commands that have it where this one does not. */
export function explainUsage(error: CommanderError, command: Command): EntsError {
  const name = listLineage(command)
    .map((one) => one.name())
    .join(" ");
  const children = command.commands.map((child) => child.name());
  if (error.code === "commander.help") return usageError(`'${name}' needs a subcommand`, seeHelp(name));
  if (error.code === "commander.unknownCommand") return unknownCommand(command.args[0] ?? "", children, name);
  const [message = ""] = error.message.replace(/^error: /, "").split("\n");
  const flag = error.code === "commander.unknownOption" ? /'([^']+)'/.exec(message)?.[1] : undefined;
  return flag === undefined ? usageError(reword(message), seeHelp(name)) : unknownFlag(flag, command, name);
}

function reword(message: string): string {
  return message
    .replace(/^option '(?:-\w, )?(--[\w-]+).*' argument missing$/, "$1 needs a value")
    .replace(/^too many arguments.*Expected (\d+) arguments? but got (\d+)\.$/, "too many arguments: expected $1, got $2");
}

export function unknownCommand(word: string, known: readonly string[], parent: string): EntsError {
  return usageError(`unknown command "${word}"${suggest(findNearest(word, known))}`, seeHelp(parent));
}

function unknownFlag(flag: string, command: Command, name: string): EntsError {
  const owners = findOwners(flag);
  if (owners.length > 0)
    return usageError(`'${name}' has no ${flag}; ${formatList(owners, "and")} ${owners.length > 1 ? "have" : "has"} it`, seeHelp(name));
  if (!command.parent && DATA_FLAGS.has(flag)) return usageError(`${flag} goes after the command`, `see 'ents network --help'`);
  const known = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  return usageError(`unknown flag ${flag}${flag.startsWith("--") ? suggest(findNearest(flag, known)) : ""}`, seeHelp(name));
}

/** The flags of the data commands, long and short. */
const DATA_FLAGS: ReadonlySet<string | undefined> = new Set(
  Object.entries<OptionSpec>({ ...QUERY_OPTIONS, ...OUTPUT_OPTIONS, ...FETCH_OPTIONS }).flatMap(([key, spec]) => [
    flagOf(key, spec),
    spec.short,
  ]),
);

/** The data commands that have a query flag. */
function findOwners(flag: string): string[] {
  const found = Object.entries<OptionSpec>(QUERY_OPTIONS).find(([key, spec]) => flagOf(key, spec) === flag || spec.short === flag);
  return (found?.[1].commands ?? []).map((owner) => `'ents ${owner}'`);
}

function suggest(nearest: readonly string[]): string {
  return nearest.length === 0 ? "" : `; did you mean ${formatList(nearest, "or")}?`;
}

function seeHelp(name: string): string {
  return `see '${name} --help'`;
}
