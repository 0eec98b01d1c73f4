/** What is said beside the data: notes, warnings and details, on standard error. */
import type { Context } from "./context.ts";
import { escapeControls } from "./terminal.ts";

export interface Report {
  /** Something good to know. Silent with `--quiet`. */
  note(text: string): void;
  /** Something that may surprise. Silent with `--quiet`. */
  warn(text: string): void;
  /** How the work goes. Only with `--verbose`. */
  detail(text: string): void;
}

export interface Loudness {
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

export function createReport({ stderr }: Pick<Context, "stderr">, { quiet = false, verbose = false }: Loudness): Report {
  const print = (text: string) => stderr.stream.write(`ents: ${escapeControls(text)}\n`);
  return {
    note: (text) => void (quiet || print(`note: ${text}`)),
    warn: (text) => void (quiet || print(`warning: ${text}`)),
    detail: (text) => void (verbose && print(text)),
  };
}
