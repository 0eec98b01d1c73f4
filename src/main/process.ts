/** The real process as a context. */
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import type { Context, OutputStream } from "../context.ts";
import { codeOf, Interrupted, ReaderLeft } from "../errors.ts";
import { main } from "./main.ts";

/** Runs the command line of this process; resolves to its exit code. */
export async function runProcess(): Promise<number> {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // Once: a second Ctrl-C ends the process the hard way.
    process.once(signal, () => controller.abort(new Interrupted(signal)));
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (codeOf(error) === "EPIPE" && stream === process.stdout) controller.abort(new ReaderLeft("the reader left"));
    });
  }
  return main(process.argv.slice(2), createProcessContext(controller.signal));
}

/** A context of the real streams, environment and clock. */
export function createProcessContext(signal: AbortSignal): Context {
  return {
    stdin: { stream: process.stdin, isTerminal: process.stdin.isTTY === true },
    stdout: describeStream(process.stdout),
    stderr: describeStream(process.stderr),
    env: process.env,
    version: readVersion(),
    process: { id: process.pid, isRunning },
    now: Date.now,
    sleep: async (ms, abort) => {
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

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };
  return manifest.version;
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
