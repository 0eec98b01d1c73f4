/** The real process as a context. */
import { fstatSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import type { ColorDepth, Context, OutputStream } from "../base/context.ts";
import { DEFAULT_SCREEN } from "../base/terminal.ts";
import { watchReader } from "../files/descriptors.ts";
import { createJobControl } from "./job-control.ts";
import { describeProcess } from "./process-identity.ts";
import { openStandardOutput } from "./standard-output.ts";
import { readVersion } from "./version.ts";

export function createProcessContext(signal: AbortSignal): Context {
  return {
    // stdin and process are getters: few commands need them, and they take time to open.
    get stdin() {
      return { stream: process.stdin, isTerminal: process.stdin.isTTY === true };
    },
    stdout: describeStream(openStandardOutput(), 1),
    stderr: describeStream(process.stderr, 2),
    cwd: process.cwd(),
    env: process.env,
    version: readVersion(),
    get process() {
      return describeProcess();
    },
    jobControl: createJobControl(signal),
    now: Date.now,
    // `performance` takes 2 ms to load.
    monotonic: () => Number(process.hrtime.bigint()) / 1e6,
    sleep: async (ms, abort) => {
      await wait(ms, undefined, { signal: abort }).catch(() => abort.throwIfAborted());
    },
    random: Math.random,
    signal,
    secrets: new Set(),
    dispatcher: undefined,
  };
}

function describeStream(stream: WriteStream, fd: number): OutputStream {
  const isTerminal = stream.isTTY === true;
  const isPiped = !isTerminal && isPipe(fd);
  const colorDepth = findColorDepth(stream, isTerminal);
  return {
    stream,
    isTerminal,
    isPipe: isPiped,
    hasReader: isPiped ? watchReader(fd) : undefined,
    // Getters: a terminal may be resized.
    get columns() {
      return isTerminal ? stream.columns || DEFAULT_SCREEN.columns : undefined;
    },
    get rows() {
      return isTerminal ? stream.rows || DEFAULT_SCREEN.rows : undefined;
    },
    colors: colorDepth > 1,
    colorDepth,
    unicode: showsUnicode(process.env),
  };
}

function isPipe(fd: number): boolean {
  try {
    const status = fstatSync(fd);
    return status.isFIFO() || status.isSocket();
  } catch {
    // Closed.
    return false;
  }
}

/** `NO_COLOR` wins over `FORCE_COLOR`, which has the values that Node takes; else what the terminal has. */
function findColorDepth(stream: WriteStream, isTerminal: boolean): ColorDepth {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return 1;
  if (FORCE_COLOR !== undefined) return FORCED_DEPTHS[FORCE_COLOR] ?? 4;
  return isTerminal && TERM !== "dumb" ? (stream.getColorDepth() as ColorDepth) : 1;
}

const FORCED_DEPTHS: Readonly<Record<string, ColorDepth>> = { 0: 1, false: 1, 2: 8, 3: 24 };

/** Not on a dumb terminal; else by the first of the locale's variables that is set. Windows has none of them, and shows Unicode. */
export function showsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }: Context["env"]): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG;
  return TERM !== "dumb" && (locale ? /utf-?8/i.test(locale) : process.platform === "win32");
}
