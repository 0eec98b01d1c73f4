import { CommanderError } from "commander";
import type { Context } from "../base/context.ts";
import type { CommandEntry } from "./command.ts";
import { explainMisuse } from "./explain.ts";
import { explainDash } from "./explain-dash.ts";
import { Misuse } from "./misuse.ts";
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
        const dashed = explainDash(argv);
        if (dashed) throw dashed;
        const words = readHelpWord(argv);
        if (words.length === 0) program.outputHelp();
        else await program.parseAsync(words, { from: "user" });
      } catch (error) {
        // commander throws after help and version.
        if (error instanceof CommanderError) return;
        if (!(error instanceof Misuse)) throw error;
        throw await explainMisuse(error, argv, commands);
      }
    },
    isVerbose: () => isVerbose(program),
  };
}

/** `ents network help` is `ents help network`. */
function readHelpWord(argv: readonly string[]): readonly string[] {
  if (argv[0] !== "help" && (argv.at(-1) !== "help" || argv.some((word) => word.startsWith("-")))) return argv;
  return ["help", ...argv.filter((word) => !["help", "--help", "-h"].includes(word))];
}
