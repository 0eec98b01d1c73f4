/** The process of `ents`, from arguments to exit code. Only this file maps errors to exit codes. */
import { readFileSync } from "node:fs";
import type { SourceMapPayload } from "node:module";
import { isatty } from "node:tty";
import { EXIT_CODES } from "../base/exit-codes.ts";
import { createCommandLine } from "../cli/program.ts";
import { COMMANDS } from "../commands/all.ts";
import { changeContext, type Context, MESSAGE_FORMATS, type MessageFormat } from "../base/context.ts";
import { attempt, BrokenPipe, EntsError, Interrupted, messageOf, isBrokenPipe, usageError } from "../base/errors.ts";
import { createStreamSink } from "../export/destination/stream.ts";
import { createMask, shortenText } from "../base/shown-text.ts";
import { formatError, formatMessage } from "../base/report.ts";
import { escapeControls } from "../base/terminal.ts";
import { FOLDER_GONE, isFolderGone } from "../files/system-error.ts";
import { createProcessContext } from "./process-context.ts";

/** Runs `ents` with the arguments after its name. `warnings`: of Node, which come at any time. Never throws. */
export async function main(
  argv: readonly string[],
  outside: Context,
  warnings: readonly Error[] = [],
): Promise<number> {
  const { format, problem } = readMessageFormat(argv, outside.env);
  const context = changeContext(outside, { messageFormat: format });
  const commandLine = createCommandLine(COMMANDS, context);
  try {
    if (problem) throw problem;
    await commandLine.run(argv).finally(() => repeatWarnings(commandLine.has("quiet") ? [] : warnings, context));
    // Help and settings are written without waiting; this write reports a full disk or a closed pipe.
    await createStreamSink(context.stdout.stream, "standard output", context.signal).write("");
    return EXIT_CODES.done.code;
  } catch (error) {
    return EXIT_CODES[reportEnd(error, context, commandLine.has("verbose"))].code;
  }
}

function repeatWarnings(warnings: readonly Error[], context: Context): void {
  const texts = warnings.map(({ message }) => shortenText(`Node says: ${message}`));
  for (const text of texts) context.stderr.stream.write(formatMessage({ kind: "warning", lines: [text] }, context));
}

/** Prints the error; returns how the command ended. */
function reportEnd(error: unknown, context: Context, verbose: boolean): keyof typeof EXIT_CODES {
  const { reason } = context.signal as { readonly reason: unknown };
  if (error instanceof BrokenPipe || reason instanceof BrokenPipe) return "done";
  if (error instanceof Interrupted) return error.by;
  if (reason instanceof Interrupted) return reason.by;
  const known = explainSurroundings(error) ?? error;
  if (known instanceof EntsError) {
    context.stderr.stream.write(formatError(known, context, verbose));
    return known.kind;
  }
  printBug(error, context, verbose);
  return "bug";
}

/** Errors of a folder that is gone, and of a Node without WebAssembly, with which ents reads HTTP and draws png. */
function explainSurroundings(error: unknown): EntsError | undefined {
  if (isFolderGone(error))
    return new EntsError("output", FOLDER_GONE, { hint: "change to another folder, or use absolute paths" });
  if (error instanceof EntsError || !messageOf(error).includes("WebAssembly")) return undefined;
  const hint =
    error instanceof RangeError
      ? "allow more address space (ulimit -v unlimited), or set NODE_OPTIONS=--disable-wasm-trap-handler"
      : "run ents without --jitless, on a Node that has WebAssembly";
  return new EntsError("usage", `this Node cannot use WebAssembly, which ents needs (${messageOf(error)})`, {
    cause: error,
    hint,
  });
}

export function printBug(error: unknown, context: Context, verbose: boolean): void {
  const mask = createMask(context.secrets);
  const message = shortenText(mask(`a bug in ents: ${messageOf(error)}`));
  const hint = verbose ? [] : ["run the command again with -v for the stack trace"];
  const stack = verbose && error instanceof Error ? mapStack(error.stack ?? "").split("\n") : [];
  const lines = stack.map((line) => `${escapeControls(shortenText(mask(line)))}\n`);
  const isText = context.messageFormat !== "json";
  const bug = formatMessage({ kind: "bug", lines: [message, ...hint], causes: isText ? [] : stack }, context);
  context.stderr.stream.write(isText ? bug + lines.join("") : bug);
}

/** `…/dist/command/request-….cjs:5:1234` → `src/export/run.ts:34:17`; without a map, unchanged. */
function mapStack(stack: string): string {
  return stack.replaceAll(/(?<=[ (])(?:\/|[A-Z]:\\)[^()]*?[.]cjs:\d+:\d+/g, (place) => findSource(place) ?? place);
}

function findSource(place: string): string | undefined {
  const [, chunk = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
  const map = attempt(() => JSON.parse(readFileSync(`${chunk}.map`, "utf8")) as SourceMapPayload);
  // Late, as it loads Node's own loader of modules.
  const origin =
    map && new (process.getBuiltinModule("node:module").SourceMap)(map).findOrigin(Number(line), Number(column));
  if (!origin || !("fileName" in origin)) return undefined;
  return `${origin.fileName.replace(/^([.][.]\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}`;
}

/** Runs the command line of this process; resolves to its exit code. */
export async function runProcess(warnings: readonly Error[]): Promise<number> {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // Once: a second Ctrl-C gets Node's default handling.
    process.once(signal, () => controller.abort(new Interrupted(signal)));
  }
  // Node resets the signal that nohup has ignored.
  if (![0, 1, 2].some(isatty)) process.on("SIGHUP", () => {});
  const context = createProcessContext(controller.signal);
  for (const { stream } of [context.stdout, context.stderr]) {
    stream.on("error", (error) => {
      if (isBrokenPipe(error) && stream === context.stdout.stream)
        controller.abort(new BrokenPipe("the reader closed the pipe"));
    });
  }
  return main(process.argv.slice(2), context, warnings);
}

const FLAG = "--errors";
const VARIABLE = "ENTS_ERRORS";

/**
 * How messages are written: `--errors`, else `ENTS_ERRORS`, else for people. The flag is found wherever it stands, also
 * behind a mistake at which the parser stops.
 */
function readMessageFormat(
  argv: readonly string[],
  env: Context["env"],
): { readonly format: MessageFormat; readonly problem?: EntsError } {
  const at = argv.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`));
  const flag = at < 0 ? undefined : argv[at]?.slice(FLAG.length + 1) || argv[at + 1];
  const value = flag ?? env[VARIABLE];
  if (!value) return { format: "text" };
  const format = MESSAGE_FORMATS.find((name) => name === value);
  if (format) return { format };
  const facts = { flag: flag === undefined ? undefined : FLAG, value, allowed: MESSAGE_FORMATS };
  return {
    format: "text",
    problem: usageError(`${flag === undefined ? VARIABLE : FLAG} cannot be "${value}"`, "use text or json", facts),
  };
}
