import { CommanderError } from "commander";
import type { Context } from "../base/context.ts";
import type { CommandEntry } from "./command.ts";
import { explainMisuse } from "./explain.ts";
import { Misuse } from "./misuse.ts";
import { createProgram } from "./program.ts";
import { isVerbose } from "./values.ts";
import { type EntsError, usageError } from "../base/errors.ts";

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

/** A word that begins with a dash that a word processor puts in place of hyphens: `—metrics`, `−7d`. */
const DASHED = /^[\u2013\u2014\u2212][\u2013\u2014\u2212-]*([a-z\d][^=]*)/iu;

/** The error for the first such word, without the value after `=`, which may be a token; undefined without one. */
function explainDash(words: readonly string[]): EntsError | undefined {
  const [word = "", rest = ""] = words.map((one) => DASHED.exec(one)).find((match) => match !== null) ?? [];
  if (rest === "") return undefined;
  const hyphens = /^(?:\d|.$)/.test(rest) ? "-" : "--";
  return usageError(`"${word}" begins with a dash that is not a hyphen (${word.charAt(0)}); did you mean ${hyphens}${rest}?`);
}
