import { CommanderError } from "commander";
import type { Context } from "../base/context.ts";
import type { CommandEntry } from "./command.ts";
import { explainUsage } from "./explain.ts";
import { type CalledCommand, createProgram } from "./program.ts";

/** Parses the arguments after the program's name and runs the command that they name; help where they name none. */
export async function runCommandLine(commands: readonly CommandEntry[], argv: readonly string[], context: Context): Promise<void> {
  const program = createProgram(commands, await loadCalled(commands, argv), context);
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    // commander throws for help and version too, which are no errors.
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw explainUsage(error, argv);
  }
}

async function loadCalled(commands: readonly CommandEntry[], argv: readonly string[]): Promise<CalledCommand | undefined> {
  const words = argv.filter((word) => !word.startsWith("-"));
  const name = words[0] === "help" ? words[1] : words[0];
  const entry = commands.find((command) => command.name === name);
  return entry && { entry, spec: await entry.load() };
}
