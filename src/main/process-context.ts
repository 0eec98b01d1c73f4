/** The real process as a context. */
import { setTimeout as wait } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import type { Context, OutputStream } from "../base/context.ts";
import { describeProcess } from "./process-identity.ts";
import { openStandardOutput } from "./standard-output.ts";
import { readVersion } from "./version.ts";

export function createProcessContext(signal: AbortSignal): Context {
  return {
    // stdin and process are getters: few commands need them, and they take time to open.
    get stdin() {
      return { stream: process.stdin, isTerminal: process.stdin.isTTY === true };
    },
    stdout: describeStream(openStandardOutput()),
    stderr: describeStream(process.stderr),
    cwd: process.cwd(),
    env: process.env,
    version: readVersion(),
    get process() {
      return describeProcess();
    },
    now: Date.now,
    monotonic: () => performance.now(),
    sleep: async (ms, abort) => {
      await wait(ms, undefined, { signal: abort }).catch(() => abort.throwIfAborted());
    },
    random: Math.random,
    signal,
    secrets: new Set(),
    dispatcher: undefined,
  };
}

function describeStream(stream: WriteStream): OutputStream {
  const isTerminal = stream.isTTY === true;
  return {
    stream,
    isTerminal,
    columns: isTerminal ? stream.columns : undefined,
    rows: isTerminal ? stream.rows : undefined,
    colors: wantsColors(stream, isTerminal),
  };
}

/** `NO_COLOR` wins over `FORCE_COLOR`; else whether the terminal has colours. */
function wantsColors(stream: WriteStream, isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && TERM !== "dumb" && stream.hasColors();
}
