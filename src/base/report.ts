/** Messages on standard error: notes, warnings, details and progress. */
import type { Context } from "./context.ts";
import { createMask, shortenText } from "./shown-text.ts";
import { countLines, DEFAULT_SCREEN, escapeControls } from "./terminal.ts";

export interface Report {
  /** A note, then one line per step to take. Silent with `--quiet`. */
  readonly note: (text: string, ...steps: readonly string[]) => void;
  /** Silent with `--quiet`; the first of a kind, of the others the number at the end. */
  readonly warn: (text: string) => void;
  /** Lines that a flag asks for: with `--quiet`, too. */
  readonly tell: (lines: Iterable<string>) => void;
  /** Only with `--verbose`. */
  readonly detail: (text: string) => void;
  /** Whether progress shows: on a terminal, but not beside a pipe, whose reader may use the terminal. */
  readonly showsProgress: boolean;
  /** Replaces the progress line, drawn for a width in characters; undefined clears it. */
  readonly progress: (draw: ((width: number) => string) | undefined) => void;
  /** What was done, for a person at a terminal. Silent with `--quiet`. */
  readonly summary: (text: string) => void;
  /** What was done, for whoever reads a log too. Silent with `--quiet`. */
  readonly done: (text: string) => void;
  /** Where messages go while the output covers the whole terminal; undefined: to standard error again. */
  readonly divert: (to: ((text: string) => void) | undefined) => void;
  /** The lines that its messages have taken on a terminal. */
  readonly lines: () => number;
  /** Reports how many warnings were left out. */
  readonly end: () => void;
}

const MAX_WARNINGS_OF_A_KIND = 10;

/** The flags that every command has. */
export interface Verbosity {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
}

/** What a command works in. */
export interface Surroundings {
  readonly context: Context;
  readonly report: Report;
}

type ReportContext = Pick<Context, "stdout" | "stderr" | "env" | "secrets">;

export function createReport({ stdout, stderr, env, secrets }: ReportContext, { quiet, verbose, progress }: Verbosity): Report {
  // A dumb terminal cannot clear a line.
  const showsProgress = progress && !quiet && stderr.isTerminal && !stdout.isPipe && env["TERM"] !== "dumb";
  let line = "";
  let linesTaken = 0;
  const show = (text: string) => {
    if (text !== line) stderr.stream.write(`\r${text}${CLEAR_TO_END}`);
    line = text;
  };
  let divert: ((text: string) => void) | undefined;
  const write = (texts: Iterable<string>, indent: string) => {
    if (line !== "") show("");
    const mask = createMask(secrets);
    const text = `${Array.from(texts, (one) => escapeControls(mask(one))).join(`\n${indent}`)}\n`;
    if (divert) return divert(text);
    stderr.stream.write(text);
    if (stderr.isTerminal) linesTaken += countLines([text], stderr.columns || DEFAULT_SCREEN.columns);
  };
  const print = (first: string, ...lines: readonly string[]) => write([`ents: ${first}`, ...lines], "      ");
  const warnings = new Map<string, number>();
  return {
    note: (text, ...steps) => void (quiet || print(`note: ${text}`, ...steps)),
    warn: (text) => {
      const kind = kindOf(text);
      const count = (warnings.get(kind) ?? 0) + 1;
      warnings.set(kind, count);
      if (!quiet && count <= MAX_WARNINGS_OF_A_KIND) print(`warning: ${shortenText(createMask(secrets)(text))}`);
    },
    tell: (texts) => write(texts, ""),
    detail: (text) => void (verbose && print(text)),
    showsProgress,
    progress: (draw) => {
      if (!showsProgress) return;
      // A full line would wrap on some terminals, and so would the ^C that they add.
      const width = Math.max(0, (stderr.columns ?? DEFAULT_SCREEN.columns) - 1 - "^C".length);
      show(draw ? escapeControls(draw(width)).slice(0, width) : "");
    },
    done: (text) => void (quiet || print(text)),
    summary: (text) => void (quiet || !stderr.isTerminal || print(text)),
    divert: (to) => {
      divert = to;
    },
    lines: () => linesTaken,
    end: () => {
      for (const [kind, count] of warnings) {
        const others = count - MAX_WARNINGS_OF_A_KIND;
        if (!quiet && others > 0) print(`warning: ... and ${others} more ${others === 1 ? "warning" : "warnings"} like this: ${kind} ...`);
      }
      warnings.clear();
    },
  };
}

/** Its first words; numbers and quoted values differ between warnings of a kind. */
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

/** Passes each text on once. */
export function warnOnce(warn: Report["warn"]): Report["warn"] {
  const told = new Set<string>();
  return (text) => {
    if (told.has(text)) return;
    told.add(text);
    warn(text);
  };
}
