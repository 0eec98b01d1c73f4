/** Messages on standard error: notes, warnings, details and progress. */
import type { Context } from "./context.ts";
import { escapeControls } from "./terminal.ts";

export interface Report {
  /** A note, then one line per step to take. Silent with `--quiet`. */
  readonly note: (text: string, ...steps: readonly string[]) => void;
  /** Silent with `--quiet`. */
  readonly warn: (text: string) => void;
  /** Only with `--verbose`. */
  readonly detail: (text: string) => void;
  /** On a terminal, replaces the progress line; undefined clears it. */
  readonly progress: (text: string | undefined) => void;
}

/** The flags that every command has. */
export interface Verbosity {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
}

export function createReport({ stderr }: Pick<Context, "stderr">, { quiet, verbose, progress }: Verbosity): Report {
  const showsProgress = progress && !quiet && stderr.isTerminal;
  let line = "";
  const show = (text: string) => {
    if (text !== line) stderr.stream.write(`\r${text}${CLEAR_TO_END}`);
    line = text;
  };
  const print = (...lines: readonly string[]) => {
    if (line !== "") show("");
    stderr.stream.write(`ents: ${lines.map(escapeControls).join("\n      ")}\n`);
  };
  return {
    note: (text, ...steps) => void (quiet || print(`note: ${text}`, ...steps)),
    warn: (text) => void (quiet || print(`warning: ${text}`)),
    detail: (text) => void (verbose && print(text)),
    progress: (text = "") => void (showsProgress && show(escapeControls(text).slice(0, (stderr.columns ?? 80) - 1))),
  };
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
