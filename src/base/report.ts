/** Messages on standard error: notes, warnings, details and progress. */
import type { Context } from "./context.ts";
import type { EntsError } from "./errors.ts";
import { createMask, shortenText } from "./shown-text.ts";
import { countLines, DEFAULT_SCREEN, escapeControls, wrapMessage } from "./terminal.ts";

export interface Report {
  /** Prints a note, then one line per step to take. Silent with `--quiet`. */
  readonly note: (text: string, ...steps: readonly string[]) => void;
  /** Prints the first 10 warnings of a kind; `end` prints the number of the others. Silent with `--quiet`. */
  readonly warn: (text: string) => void;
  /** Prints an error that does not end the command, even with `--quiet`. */
  readonly error: (error: EntsError) => void;
  /** Prints lines that a flag requested, even with `--quiet`. */
  readonly print: (lines: Iterable<string>) => void;
  readonly detail: (text: string) => void;
  /** True if progress is shown: on a terminal, unless output goes to a pipe, whose reader may use the same terminal. */
  readonly showsProgress: boolean;
  /** Redraws the progress line for a width in characters; undefined clears it. */
  readonly progress: (draw: ((width: number) => string) | undefined) => void;
  /** Prints the result on a terminal only. Silent with `--quiet`. */
  readonly summary: (text: string) => void;
  /** Prints the result, in logs too. Silent with `--quiet`. */
  readonly done: (text: string) => void;
  /** Redirects messages while the output fills the terminal; undefined restores standard error. */
  readonly divert: (to: ((text: string) => void) | undefined) => void;
  /** Keeps messages that would take more lines above the output for `printKept`. Details are never kept. */
  readonly limitLines: (most: number) => void;
  readonly printKept: () => void;
  /** Lines of the terminal that messages have taken, or will take. */
  readonly lines: () => number;
  readonly end: () => void;
}

const MAX_WARNINGS_OF_A_KIND = 10;

export interface Verbosity {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
}

export interface Surroundings {
  readonly context: Context;
  readonly report: Report;
}

export function createReport(
  { stdout, stderr, env, secrets }: Pick<Context, "stdout" | "stderr" | "env" | "secrets">,
  { quiet, verbose, progress }: Verbosity,
): Report {
  // A dumb terminal cannot clear a line.
  const showsProgress = progress && !quiet && stderr.isTerminal && !stdout.isPipe && env["TERM"] !== "dumb";
  const { show, write, divert, limitLines, printKept, lines } = createWriter(stderr);
  const print = (...texts: readonly string[]) => write(formatMessage(texts, { stderr, secrets }));
  const warnings = new Map<string, number>();
  return {
    note: (text, ...steps) => void (quiet || print(`note: ${text}`, ...steps)),
    warn: (text) => {
      const kind = kindOf(text);
      const count = (warnings.get(kind) ?? 0) + 1;
      warnings.set(kind, count);
      if (!quiet && count <= MAX_WARNINGS_OF_A_KIND) print(`warning: ${shortenText(createMask(secrets)(text))}`);
    },
    error: (error) => write(formatError(error, { stderr, secrets }, verbose)),
    print: (texts) => write(Array.from(texts, (text) => `${escapeControls(createMask(secrets)(text))}\n`).join("")),
    detail: (text) => void (verbose && print(text)),
    showsProgress,
    progress: (draw) => {
      if (!showsProgress) return;
      // A full line would wrap on some terminals, as would the ^C that they echo.
      const width = Math.max(0, (stderr.columns ?? DEFAULT_SCREEN.columns) - 1 - "^C".length);
      show(draw ? escapeControls(draw(width)).slice(0, width) : "");
    },
    done: (text) => void (quiet || print(text)),
    summary: (text) => void (quiet || !stderr.isTerminal || print(text)),
    divert,
    limitLines: (most) => {
      if (!verbose) limitLines(most);
    },
    printKept,
    lines,
    end: () => {
      for (const [kind, count] of warnings) {
        const others = count - MAX_WARNINGS_OF_A_KIND;
        if (!quiet && others > 0) print(`warning: ... and ${others} more ${others === 1 ? "warning" : "warnings"} like this: ${kind} ...`);
      }
      warnings.clear();
    },
  };
}

type Writer = Pick<Report, "divert" | "limitLines" | "printKept" | "lines"> & {
  readonly write: (text: string) => void;
  /** Shows a progress line in place of the one before. */
  readonly show: (text: string) => void;
};

function createWriter(stderr: Context["stderr"]): Writer {
  const { stream, isTerminal } = stderr;
  let line = "";
  let linesTaken = 0;
  let divert: ((text: string) => void) | undefined;
  const show = (text: string) => {
    if (text !== line) stream.write(`\r${text}${CLEAR_TO_END}`);
    line = text;
  };
  let most = Number.POSITIVE_INFINITY;
  let kept: string[] = [];
  return {
    show,
    write: (text) => {
      if (line !== "") show("");
      if (divert) return divert(text);
      const lines = isTerminal ? countLines([text], stderr.columns || DEFAULT_SCREEN.columns) : 0;
      if (linesTaken + lines > most) kept.push(text);
      else stream.write(text);
      // Those that are kept will need space, too.
      linesTaken += lines;
    },
    divert: (to) => {
      divert = to;
    },
    limitLines: (lines) => {
      most = lines;
    },
    printKept: () => {
      for (const text of kept) stream.write(text);
      kept = [];
      most = Number.POSITIVE_INFINITY;
    },
    lines: () => linesTaken,
  };
}

const PREFIX = "ents: ";

/** `ents: <the first line>`, with the others indented below; wrapped at words on a terminal. */
export function formatMessage(lines: readonly string[], { stderr, secrets }: Pick<Context, "stderr" | "secrets">): string {
  const mask = createMask(secrets);
  const width = stderr.isTerminal ? (stderr.columns || DEFAULT_SCREEN.columns) - PREFIX.length : Number.POSITIVE_INFINITY;
  const wrapped = lines.flatMap((line) => wrapMessage(escapeControls(mask(line)), width));
  return `${PREFIX}${wrapped.join(`\n${" ".repeat(PREFIX.length)}`)}\n`;
}

/** `ents: <what went wrong>` and the next step; causes with `verbose`. */
export function formatError(error: EntsError, context: Pick<Context, "stderr" | "secrets">, verbose: boolean): string {
  const mask = createMask(context.secrets);
  const causes = verbose ? listCauses(error).map((cause) => `caused by: ${shortenText(mask(cause))}`) : [];
  return formatMessage([error.message, ...(error.hint?.split("\n") ?? []), ...causes], context);
}

function listCauses(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(`${cause.name}: ${cause.message}`);
  }
  return causes;
}

/** The first three words without numbers and quoted values, which differ between warnings of a kind. */
function kindOf(text: string): string {
  return text
    .replace(/"[^"]*"/g, "")
    .split(/\s+/)
    .filter((word) => !/\d/.test(word))
    .slice(0, 3)
    .join(" ")
    .replace(/[ ,;:]+$/, "");
}

const CLEAR_TO_END = "\u001b[K";

/** Wraps `warn` so that it prints each text once. */
export function warnOnce(warn: Report["warn"]): Report["warn"] {
  const printed = new Set<string>();
  return (text) => {
    if (printed.has(text)) return;
    printed.add(text);
    warn(text);
  };
}
