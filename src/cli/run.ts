import { CommanderError } from "commander";
import type { Context } from "../context.ts";
import type { CommandSpec } from "./command.ts";
import { explainUsage } from "./explain.ts";
import { createProgram } from "./program.ts";

/** Parses the arguments after the program's name and runs the command that they name; help where they name none. */
export async function runCommandLine(commands: readonly CommandSpec[], argv: readonly string[], context: Context): Promise<void> {
  const program = createProgram(commands, context);
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    // commander throws for help and version too, which are no errors.
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw explainUsage(error, argv);
  }
}
