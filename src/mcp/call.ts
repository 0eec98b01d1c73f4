/**
 * Runs a command for a tool: in this process, with values by option in place of a command line, and its output kept.
 */
import { PassThrough, Writable } from "node:stream";
import { changeContext, type Context, type OutputStream } from "../base/context.ts";
import { EntsError } from "../base/errors.ts";
import { createReport, formatError } from "../base/report.ts";
import type { CommandSpec } from "../cli/command.ts";
import type { RawValues } from "../cli/values.ts";

export interface ToolCall {
  readonly spec: CommandSpec;
  /** The names of the command: `["list", "units"]`. */
  readonly words: readonly string[];
  readonly arguments: readonly string[];
  readonly values: RawValues;
}

export interface Answered {
  /** The first rows of the output, as ndjson has them. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The number of all rows, and the last of them. */
  readonly count: number;
  readonly last: Readonly<Record<string, unknown>> | undefined;
  /** Errors, warnings and notes, as with `--errors json`. */
  readonly messages: readonly object[];
  readonly failed: boolean;
}

/** More would fill the context of an assistant. */
export const MAX_ROWS = 500;

/** As nothing is parsed, no value can be a flag or name a file of values. */
export async function runCall({ spec, values, ...call }: ToolCall, context: Context): Promise<Answered> {
  const [rows, messages]: [Record<string, unknown>[], object[]] = [[], []];
  let count = 0;
  let lastLine: string | undefined;
  const stdout = createOutput((line) => {
    count += 1;
    lastLine = line;
    if (count <= MAX_ROWS) rows.push(JSON.parse(line) as Record<string, unknown>);
  });
  const answer = () => ({
    rows,
    count,
    last: lastLine === undefined ? undefined : (JSON.parse(lastLine) as Record<string, unknown>),
    messages,
  });
  const stderr = createOutput((line) => messages.push(JSON.parse(line) as object));
  const stdin = { stream: new PassThrough().end(), isTerminal: false };
  const own = changeContext(context, { stdin, stdout, stderr, messageFormat: "json" });
  const report = createReport(own, { quiet: false, verbose: false, progress: false });
  const format = values["output"] === undefined ? { format: "ndjson" } : {};
  try {
    await spec.run?.({ ...call, values: { ...values, ...format }, context: own, report });
    return { ...answer(), failed: false };
  } catch (error) {
    if (!(error instanceof EntsError)) throw error;
    stderr.stream.write(formatError(error, own, false));
    // Findings of a check are its result.
    return { ...answer(), failed: error.kind !== "incomplete" };
  } finally {
    report.end();
  }
}

/** Passes each line on, and keeps none. */
function createOutput(use: (line: string) => void): OutputStream {
  let rest = "";
  const write = (chunk: string | Uint8Array, _encoding: string, done: () => void) => {
    const lines = (rest + (typeof chunk === "string" ? chunk : Buffer.from(chunk).toString())).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") use(line);
    done();
  };
  const stream = new Writable({ decodeStrings: false, write });
  return {
    stream,
    isTerminal: false,
    isPipe: true,
    columns: undefined,
    rows: undefined,
    colors: false,
    colorDepth: 1,
    unicode: true,
  };
}
