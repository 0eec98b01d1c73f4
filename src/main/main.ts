/** Arguments and context to an exit code: the one place where an error becomes one. */
import { runCommandLine } from "../cli/run.ts";
import { COMMANDS } from "../commands/all.ts";
import type { Context } from "../base/context.ts";
import { EntsError, type ErrorKind, Interrupted, BrokenPipe } from "../base/errors.ts";
import { createStreamSink } from "../job/destination/stream.ts";
import { printBug, printError } from "./print-error.ts";

const EXIT_CODES = {
  usage: 2,
  authentication: 3,
  refused: 4,
  unavailable: 5,
  output: 6,
} as const satisfies Record<ErrorKind, number>;

const BUG = 1;
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs `ents` with the arguments after its name. Never throws. */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  try {
    await runCommandLine(COMMANDS, argv, context);
    // Help and settings are written without waiting: here a full disk shows, or a reader that left.
    await createStreamSink(context.stdout.stream, "standard output").write("");
    return 0;
  } catch (error) {
    return toExitCode(error, argv, context);
  }
}

function toExitCode(error: unknown, argv: readonly string[], context: Context): number {
  if (error instanceof BrokenPipe || context.signal.reason instanceof BrokenPipe) return 0;
  if (error instanceof Interrupted || context.signal.reason instanceof Interrupted) {
    return INTERRUPTED[(error instanceof Interrupted ? error : (context.signal.reason as Interrupted)).by];
  }
  // The error may have come before any flag was read.
  const verbose = argv.some((word) => word === "--verbose" || /^-[a-z]*v/.test(word));
  if (!(error instanceof EntsError)) {
    printBug(error, context, verbose);
    return BUG;
  }
  printError(error, context, verbose);
  return EXIT_CODES[error.kind];
}
