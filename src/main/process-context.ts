/** The real process as a context: the one place, with main, that knows of it. */
import { readFileSync } from "node:fs";
import type { WriteStream } from "node:tty";
import type { Context, OutputStream } from "../base/context.ts";
import { codeOf } from "../base/errors.ts";
import { readVersion } from "./version.ts";

/** A context of the real streams, environment and clock. */
export function createProcessContext(signal: AbortSignal): Context {
  return {
    // Made when it is asked for: hardly a command reads it.
    get stdin() {
      return { stream: process.stdin, isTerminal: process.stdin.isTTY === true };
    },
    stdout: describeStream(process.stdout),
    stderr: describeStream(process.stderr),
    cwd: process.cwd(),
    env: process.env,
    version: readVersion(),
    process: { id: process.pid, isRunning },
    now: Date.now,
    sleep: async (ms, abort) => {
      const { setTimeout: wait } = await import("node:timers/promises");
      await wait(ms, undefined, { signal: abort }).catch(() => abort.throwIfAborted());
    },
    random: Math.random,
    signal,
    dispatcher: undefined,
  };
}

function describeStream(stream: WriteStream): OutputStream {
  const isTerminal = stream.isTTY === true;
  return { stream, isTerminal, columns: isTerminal ? stream.columns : undefined, colors: wantsColors(stream, isTerminal) };
}

/** `NO_COLOR` wins over `FORCE_COLOR`; else a terminal that can. */
function wantsColors(stream: WriteStream, isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && TERM !== "dumb" && stream.hasColors();
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0) && !isZombie(id);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** A process that has ended is still there to be asked after where nobody reaps it, as in containers without an init. */
function isZombie(id: number): boolean {
  try {
    const status = readFileSync(`/proc/${id}/stat`, "utf8");
    return status.slice(status.lastIndexOf(")")).startsWith(") Z");
  } catch {
    return false;
  }
}
