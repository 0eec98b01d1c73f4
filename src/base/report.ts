/** Messages on standard error: notes, warnings, details and progress. */
import type { Context } from "./context.ts";
import type { EntsError, ErrorKind, ErrorDetails } from "./errors.ts";
import { EXIT_CODES } from "./exit-codes.ts";
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
  /** Redraws the progress line for a width in characters; undefined clears it. `count`: the same in numbers. */
  readonly progress: (draw: ((width: number) => string) | undefined, count?: RequestCount) => void;
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

/** Finished requests, and all. */
export interface RequestCount {
  readonly done: number;
  readonly planned: number;
}

export interface Verbosity {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
}

export interface Surroundings {
  readonly context: Context;
  readonly report: Report;
}

/** What messages are written to, and how. */
export function createReport(context: Context, { quiet, verbose, progress }: Verbosity): Report {
  const { stdout, stderr, env, secrets, messageFormat } = context;
  // A dumb terminal cannot clear a line.
  const canDraw = stderr.isTerminal && !stdout.isPipe && env["TERM"] !== "dumb" && messageFormat !== "json";
  const showsProgress = progress && !quiet && canDraw;
  const { show, write, divert, limitLines, printKept, lines } = createMessageWriter(stderr);
  const print = (kind: MessageKind, ...texts: readonly string[]) =>
    write(formatMessage({ kind, lines: texts }, context));
  const warnings = new Map<string, number>();
  return {
    note: (text, ...steps) => void (quiet || print("note", text, ...steps)),
    warn: (text) => {
      const kind = warningKindOf(text);
      const count = (warnings.get(kind) ?? 0) + 1;
      warnings.set(kind, count);
      if (!quiet && count <= MAX_WARNINGS_OF_A_KIND) print("warning", shortenText(createMask(secrets)(text)));
    },
    error: (error) => write(formatError(error, context, verbose)),
    print: (texts) => write(formatLines([...texts], context)),
    detail: (text) => void (verbose && print("detail", text)),
    showsProgress,
    progress: (draw) => {
      if (!showsProgress) return;
      // A full line would wrap on some terminals, as would the ^C that they echo.
      const width = Math.max(0, (stderr.columns ?? DEFAULT_SCREEN.columns) - 1 - "^C".length);
      show(draw ? escapeControls(draw(width)).slice(0, width) : "");
    },
    done: (text) => void (quiet || print("result", text)),
    summary: (text) => void (quiet || !stderr.isTerminal || print("result", text)),
    divert,
    limitLines: (most) => {
      if (!verbose) limitLines(most);
    },
    printKept,
    lines,
    end: () => {
      for (const [kind, count] of warnings) {
        const others = count - MAX_WARNINGS_OF_A_KIND;
        if (!quiet && others > 0)
          print("warning", `... and ${others} more ${others === 1 ? "warning" : "warnings"} like this: ${kind} ...`);
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

function createMessageWriter(stderr: Context["stderr"]): Writer {
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

type MessageKind = ErrorKind | "bug" | "warning" | "note" | "detail" | "result";

interface Message {
  readonly kind: MessageKind;
  /** What happened, then the next steps. */
  readonly lines: readonly string[];
  readonly facts?: ErrorDetails;
  readonly causes?: readonly string[];
  readonly httpStatus?: number | undefined;
}

/**
 * `ents: <the first line>`, with the others indented below; wrapped at words on a terminal. With `--errors json`, an
 * object.
 */
export function formatMessage({ kind, lines, facts = {}, causes = [], httpStatus }: Message, context: Context): string {
  const [text = "", ...steps] = lines;
  const exitCode = kind in EXIT_CODES ? EXIT_CODES[kind as keyof typeof EXIT_CODES].code : undefined;
  if (context.messageFormat === "json") {
    const { flag, value, allowed, didYouMean, resume } = facts;
    // Commands are quoted in sentences.
    const meant = didYouMean?.map((name) => name.replace(/^'(.*)'$/, "$1"));
    const described = {
      flag,
      value,
      allowed,
      did_you_mean: nonEmpty(meant),
      next_step: nonEmpty(steps)?.join("\n"),
      resume,
    };
    return formatObject(
      { kind, exit_code: exitCode, message: text, ...described, http_status: httpStatus, causes: nonEmpty(causes) },
      context,
    );
  }
  const { stderr, secrets } = context;
  const mask = createMask(secrets);
  const width = stderr.isTerminal
    ? (stderr.columns || DEFAULT_SCREEN.columns) - PREFIX.length
    : Number.POSITIVE_INFINITY;
  const label = kind === "note" || kind === "warning" ? `${kind}: ` : "";
  const all = [label + text, ...steps, ...causes.map((cause) => `caused by: ${cause}`)];
  const wrapped = all.flatMap((line) => wrapMessage(escapeControls(mask(line)), width));
  return `${PREFIX}${wrapped.join(`\n${" ".repeat(PREFIX.length)}`)}\n`;
}

/** Lines that a flag requested, such as those of `--summary`. */
function formatLines(lines: readonly string[], context: Context): string {
  if (context.messageFormat === "json") return formatObject({ kind: "text", message: lines.join("\n") }, context);
  return lines.map((text) => `${escapeControls(createMask(context.secrets)(text))}\n`).join("");
}

/** All control characters are escaped, as JSON writes some of them. */
function formatObject(object: Readonly<Record<string, unknown>>, { secrets }: Context): string {
  const mask = createMask(secrets);
  const json = JSON.stringify(object, (_, value: unknown) => (typeof value === "string" ? mask(value) : value));
  return `${escapeControls(json)}\n`;
}

function nonEmpty<T>(list: readonly T[] = []): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** `ents: <what went wrong>` and the next step; causes with `verbose`. */
export function formatError(error: EntsError, context: Context, verbose: boolean): string {
  const { kind, message, hint, facts, refusal } = error;
  const mask = createMask(context.secrets);
  const causes = verbose ? listCauses(error).map((cause) => shortenText(mask(cause))) : [];
  return formatMessage(
    { kind, lines: [message, ...(hint?.split("\n") ?? [])], facts, causes, httpStatus: refusal?.status },
    context,
  );
}

function listCauses(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(`${cause.name}: ${cause.message}`);
  }
  return causes;
}

/** The first three words without numbers and quoted values, which differ between warnings of a kind. */
function warningKindOf(text: string): string {
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
