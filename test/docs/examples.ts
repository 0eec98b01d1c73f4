import type { CommandSpec } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/commands/all.ts";

function listExamples({ examples = [], subcommands = [] }: CommandSpec): string[] {
  return [...examples.map(({ command }) => command), ...subcommands.flatMap(listExamples)];
}

/** The examples of all commands, in the order of their help. */
export const EXAMPLES = (await Promise.all(COMMANDS.map((entry) => entry.load()))).flatMap(listExamples);
