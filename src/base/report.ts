/** What is said beside the data: notes, warnings and details, on standard error. */
import type { Context } from "./context.ts";
import { escapeControls } from "./terminal.ts";

export interface Report {
  /** Something good to know, and on lines of their own what to do. Silent with `--quiet`. */
  readonly note: (text: string, ...steps: readonly string[]) => void;
  /** Something that may surprise. Silent with `--quiet`. */
  readonly warn: (text: string) => void;
  /** How the work goes. Only with `--verbose`. */
  readonly detail: (text: string) => void;
  /** One line that the next takes the place of, on a terminal; undefined takes it away. */
  readonly progress: (text: string | undefined) => void;
}

/** The common flags. */
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
