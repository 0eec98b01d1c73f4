/**
 * Runs a command for a tool: in this process, with values by option in place of a command line, its output kept, and
 * within the time that a client waits.
 */
import { PassThrough, Writable } from "node:stream";
import { changeContext, type Context, type OutputStream } from "../base/context.ts";
import { EntsError } from "../base/errors.ts";
import { createReport, formatError, type RequestCount } from "../base/report.ts";
import type { CommandSpec } from "../cli/command.ts";
import type { RawValues } from "../cli/values.ts";
import type { MessageObject } from "./words.ts";

export interface CommandRun {
  readonly spec: CommandSpec;
  /** The names of the command: `["list", "units"]`. */
  readonly words: readonly string[];
  readonly arguments: readonly string[];
  readonly values: RawValues;
}

/** What a client hears while its call runs; undefined if it did not ask for that. */
export type SayProgress = (progress: {
  readonly done: number;
  readonly total: number;
  readonly message: string;
}) => void;

export interface Ended {
  /** Errors, warnings and notes, as with `--errors json`. */
  readonly messages: readonly MessageObject[];
  readonly failed: boolean;
}

/** In milliseconds. Clients give up after a minute. */
const PATIENCE_MS = 30_000;

interface Running {
  readonly context: Context;
  readonly say?: SayProgress | undefined;
  /** Takes standard output. */
  readonly use: (chunk: Uint8Array) => void;
}

/** As nothing is parsed, no value can be a flag or name a file of values. */
export async function runForTool({ spec, values, ...run }: CommandRun, { context, say, use }: Running): Promise<Ended> {
  const messages: MessageObject[] = [];
  const stderr = createOutput((chunk) => messages.push(JSON.parse(chunk.toString()) as MessageObject));
  const stdin = { stream: new PassThrough().end(), isTerminal: false };
  const own = changeContext(context, { stdin, stdout: createOutput(use), stderr, messageFormat: "json" });
  let reported = 0;
  const report = {
    ...createReport(own, { quiet: false, verbose: false, progress: false }),
    progress: (draw: ((width: number) => string) | undefined, count?: RequestCount) => {
      if (!say || !draw || !count || count.done <= reported) return;
      reported = count.done;
      say({ done: count.done, total: count.planned, message: draw(MESSAGE_WIDTH).trim() });
    },
  };
  try {
    await spec.run?.({ ...run, values, context: own, report });
    return { messages, failed: false };
  } catch (error) {
    if (!(error instanceof EntsError)) throw error;
    stderr.stream.write(formatError(error, own, false));
    // Findings of a check are its result.
    return { messages, failed: error.kind !== "incomplete" };
  } finally {
    report.end();
  }
}

const MESSAGE_WIDTH = 80;

export type Budget = ReturnType<typeof createBudget>;

/** The context of a call, which ends in time unless its client hears of it, and waits for no longer than that. */
export function createBudget(context: Context) {
  const spent = new AbortController();
  const endCall = () =>
    spent.abort(new EntsError("unavailable", `not done within ${PATIENCE_MS / 1000} s`, { hint: AGAIN }));
  let until = 0;
  let retryAfter: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const restart = () => {
    clearTimeout(timer);
    until = context.monotonic() + PATIENCE_MS;
    timer = setTimeout(endCall, PATIENCE_MS);
  };
  restart();
  const sleep: Context["sleep"] = async (ms, signal) => {
    if (context.monotonic() + ms <= until) return context.sleep(ms, signal);
    retryAfter = Math.ceil(Math.floor(ms) / 1000);
    throw new EntsError("unavailable", `the next request has to wait ${retryAfter} s, longer than a call may`, {
      hint: `try again in ${retryAfter} s: ${AGAIN}`,
    });
  };
  return {
    context: changeContext(context, { signal: AbortSignal.any([context.signal, spent.signal]), sleep }),
    restart,
    end: () => clearTimeout(timer),
    /** In seconds, if the service asked for a pause that is longer than a call may take. */
    retryAfter: () => retryAfter,
  };
}

const AGAIN = "the same call goes on with what is missing";

function createOutput(use: (chunk: Buffer) => void): OutputStream {
  const write = (chunk: string | Uint8Array, _encoding: string, done: () => void) => {
    use(Buffer.from(chunk as Uint8Array));
    done();
  };
  return {
    stream: new Writable({ decodeStrings: false, write }),
    isTerminal: false,
    isPipe: true,
    columns: undefined,
    rows: undefined,
    colors: false,
    colorDepth: 1,
    unicode: true,
  };
}

/** Passes each line of ndjson on, and keeps none. */
export function readLines(use: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") use(line);
  };
}
