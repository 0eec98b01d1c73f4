/** The real process as a context. */
import { fstatSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import { hostname } from "node:os";
import type { ColorDepth, Context, JobControl, OutputStream, ProcessIdentity, TerminalUse } from "../base/context.ts";
import { DEFAULT_SCREEN } from "../base/terminal.ts";
import { watchReader } from "../files/descriptors.ts";
import { openStandardOutput, readVersion } from "./at-once.ts";
import { attempt, codeOf } from "../base/errors.ts";

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

/** Signals that end the process, without a word to the rest of it. */
const DEADLY = ["SIGHUP", "SIGQUIT"] as const;

/** So soon a signal that ends the process has come, too, if it came with the one that resumes it (kill %1). */
const RESUME_MS = 20;

function createJobControl(signal: AbortSignal): JobControl {
  /** As the system does with those that set a terminal up: in the background, the processes of this job stop here. */
  const claim = () => {
    if (signal.aborted || !isInBackground()) return true;
    process.kill(0, "SIGTTOU");
    return !isInBackground();
  };
  return {
    use: ({ leave, enter }) => {
      let isUsed = true;
      const resume = () => {
        setTimeout(() => {
          if (!isUsed || !claim()) return;
          // Nobody tells a process that is not in front of a new size.
          process.kill(process.pid, "SIGWINCH");
          enter();
        }, RESUME_MS);
      };
      const stop = () => {
        leave();
        // By its default action, which a handler replaces.
        process.off("SIGTSTP", stop).kill(process.pid, "SIGTSTP");
        process.on("SIGTSTP", stop);
        // Where no shell could resume it, the system has not stopped it.
        resume();
      };
      const die = (name: NodeJS.Signals) => {
        leave();
        release();
        process.kill(process.pid, name);
      };
      const release = () => {
        isUsed = false;
        process.off("SIGTSTP", stop).off("SIGCONT", resume);
        for (const name of DEADLY) process.off(name, die);
      };
      process.on("SIGTSTP", stop).on("SIGCONT", resume);
      for (const name of DEADLY) process.on(name, die);
      return { claim, release } satisfies TerminalUse;
    },
  };
}

/** Whether a shell has put this process in the background; without a terminal or /proc, false. */
function isInBackground(): boolean {
  const status = readStatus("self");
  return status !== undefined && status.foreground > 0 && status.foreground !== status.group;
}

/** Identifies a process across machines, containers and restarts. */
export function describeProcess(): Context["process"] {
  const identity: ProcessIdentity = {
    host: hostname(),
    boot: attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) ?? "",
    namespace: attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "",
    pid: process.pid,
    started: readStatus("self")?.started ?? "",
  };
  return { identity, isGone: (other) => isGone(other, identity), uid: process.geteuid?.() };
}

function isGone(other: ProcessIdentity, me: ProcessIdentity): boolean | undefined {
  if (other.host !== me.host) return undefined;
  if (other.boot !== me.boot) return true;
  if (other.namespace !== me.namespace) return undefined;
  const status = readStatus(String(other.pid));
  if (status) return status.isZombie || status.started !== other.started;
  // Without /proc, a process of this number may be another one.
  return exists(other.pid) ? undefined : true;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

interface Status {
  /** It has ended but is not reaped: common in containers without an init. */
  readonly isZombie: boolean;
  readonly started: string;
  /** Its process group, and the one in the foreground of its terminal (-1 without one). */
  readonly group: number;
  readonly foreground: number;
}

/** By proc(5), /proc/pid/stat, after the name in parentheses; undefined where there is no /proc. */
function readStatus(pid: string): Status | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields && { isZombie: fields[0] === "Z", started: fields[19] ?? "", group: Number(fields[2]), foreground: Number(fields[5]) };
}
