import { CommanderError } from "commander";
import type { Context } from "../base/context.ts";
import type { CommandEntry } from "./command.ts";
import { createProgram } from "./program.ts";
import { isVerbose } from "./values.ts";

export interface CommandLine {
  /** Parses the arguments and runs their command; prints help without arguments. */
  readonly run: (argv: readonly string[]) => Promise<void>;
  /** Whether `--verbose` is among the arguments parsed so far. */
  readonly isVerbose: () => boolean;
}

export function createCommandLine(commands: readonly CommandEntry[], context: Context): CommandLine {
  const program = createProgram(commands, context);
  return {
    run: async (argv) => {
      try {
        if (argv.length === 0) program.outputHelp();
        else await program.parseAsync(argv, { from: "user" });
      } catch (error) {
        // commander throws after help and version.
        if (!(error instanceof CommanderError)) throw error;
      }
    },
    isVerbose: () => isVerbose(program),
  };
}
