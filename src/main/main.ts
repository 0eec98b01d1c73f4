/** Arguments and context to an exit code: the only place that maps errors to codes. */
import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { EXIT_CODES } from "../cli/exit-codes.ts";
import { createCommandLine } from "../cli/run.ts";
import { COMMANDS } from "../commands/all.ts";
import type { Context } from "../base/context.ts";
import { BrokenPipe, EntsError, Interrupted, messageOf } from "../base/errors.ts";
import { createStreamSink } from "../job/destination/stream.ts";
import { createMask, shortenText } from "../base/shown-text.ts";
import { escapeControls } from "../base/terminal.ts";

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

/** `ents: <what went wrong>` and the next step; causes with `verbose`. */
function printError(error: EntsError, { stderr, secrets }: Context, verbose: boolean): void {
  const mask = createMask(secrets);
  const lines = [`ents: ${error.message}`];
  if (error.hint !== undefined) lines.push(...error.hint.split("\n").map((line) => `      ${line}`));
  if (verbose) lines.push(...listCauses(error).map((cause) => `      caused by: ${shortenText(mask(cause))}`));
  stderr.stream.write(lines.map((line) => `${escapeControls(mask(line))}\n`).join(""));
}

/** An unexpected error. */
export function printBug(error: unknown, { stderr, secrets }: Context, verbose: boolean): void {
  const mask = createMask(secrets);
  const stack = error instanceof Error ? mapStack(error.stack ?? "").split("\n") : [];
  const details = verbose ? stack : ["      run the command again with -v for the stack trace"];
  const lines = [`ents: a bug in ents: ${messageOf(error)}`, ...details];
  stderr.stream.write(lines.map((line) => `${escapeControls(shortenText(mask(line)))}\n`).join(""));
}

function listCauses(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(`${cause.name}: ${cause.message}`);
  }
  return causes;
}

/** `…/dist/command/request-….cjs:5:1234` → `src/job/run.ts:34:17`; without a map, unchanged. */
function mapStack(stack: string): string {
  return stack.replaceAll(/(?<=[ (])(?:\/|[A-Z]:\\)[^()]*?[.]cjs:\d+:\d+/g, (place) => findSource(place) ?? place);
}

function findSource(place: string): string | undefined {
  const [, chunk = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
  try {
    const map = JSON.parse(readFileSync(`${chunk}.map`, "utf8")) as SourceMapPayload;
    const origin = new SourceMap(map).findOrigin(Number(line), Number(column));
    return "fileName" in origin ? `${origin.fileName.replace(/^([.][.]\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}` : undefined;
  } catch {
    return undefined;
  }
}
