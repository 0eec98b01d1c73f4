/** Arguments and context to an exit code: the only place that maps errors to codes. */
import { EXIT_CODES } from "../cli/exit-codes.ts";
import { createCommandLine } from "../cli/run.ts";
import { COMMANDS } from "../commands/all.ts";
import type { Context } from "../base/context.ts";
import { EntsError, Interrupted, BrokenPipe } from "../base/errors.ts";
import { createStreamSink } from "../job/destination/stream.ts";
import { printBug, printError } from "./print-error.ts";

/** Runs `ents` with the arguments after its name. Never throws. */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  const commandLine = createCommandLine(COMMANDS, context);
  try {
    await commandLine.run(argv);
    // Help and settings are written without waiting: this reports a full disk or a closed pipe.
    await createStreamSink(context.stdout.stream, "standard output", context.signal).write("");
    return EXIT_CODES.done.code;
  } catch (error) {
    return EXIT_CODES[reportEnd(error, context, commandLine.isVerbose())].code;
  }
}

/** Prints the error and returns how the command ended. */
function reportEnd(error: unknown, context: Context, verbose: boolean): keyof typeof EXIT_CODES {
  const { reason } = context.signal as { readonly reason: unknown };
  if (error instanceof BrokenPipe || reason instanceof BrokenPipe) return "done";
  if (error instanceof Interrupted) return error.by;
  if (reason instanceof Interrupted) return reason.by;
  if (error instanceof EntsError) {
    printError(error, context, verbose);
    return error.kind;
  }
  printBug(error, context, verbose);
  return "bug";
}
