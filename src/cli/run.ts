import { CommanderError } from "commander";
import type { Context } from "../base/context.ts";
import type { CommandEntry } from "./command.ts";
import { createProgram } from "./program.ts";
import { isVerbose } from "./values.ts";

export interface CommandLine {
  /** Parses the arguments after the program's name and runs the command that they name; help where they name none. */
  readonly run: (argv: readonly string[]) => Promise<void>;
  /** Whether `--verbose` was among the arguments, as far as they could be parsed. */
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
        // Help and version end the parse by an error of no consequence.
        if (!(error instanceof CommanderError)) throw error;
      }
    },
    isVerbose: () => isVerbose(program),
  };
}
