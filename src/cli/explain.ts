/** commander's usage errors in our words. */
import type { CommanderError } from "commander";
import { type EntsError, usageError } from "../base/errors.ts";
import { QUERY_OPTIONS } from "../options/query-options.ts";
import { flagOf, type OptionSpec } from "../options/spec.ts";

/** A usage error that names the flag, and the command that has it where this one does not. */
export function explainUsage(error: CommanderError, argv: readonly string[]): EntsError {
  const [message = "", ...suggestions] = error.message.replace(/^error: /, "").split("\n");
  if (error.code === "commander.help") return usageError(`'ents ${argv.join(" ")}' needs one of its commands`);
  const unknown = error.code === "commander.unknownCommand" ? /'([^']+)'/.exec(message)?.[1] : undefined;
  const [first = ""] = argv.filter((word) => !word.startsWith("-"));
  const command = first === unknown ? "" : first;
  const help = `'ents ${command ? `${command} ` : ""}--help' lists what there is`;
  const flag = error.code === "commander.unknownOption" ? /'([^']+)'/.exec(message)?.[1] : undefined;
  const owners = flag === undefined ? [] : findOwners(flag);
  if (flag !== undefined && owners.length > 0 && !owners.includes(command)) {
    return usageError(`'ents ${command}' has no flag ${flag}; ${owners.map((owner) => `'ents ${owner}'`).join(" and ")} has it`, help);
  }
  return usageError([message, ...suggestions].join(" "), help);
}

function findOwners(flag: string): readonly string[] {
  const found = Object.entries<OptionSpec>(QUERY_OPTIONS).find(([key, spec]) => flagOf(key, spec) === flag || spec.short === flag);
  return found?.[1].commands ?? [];
}
