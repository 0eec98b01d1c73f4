import { fstatSync, readFileSync, readlinkSync } from "node:fs";
import { Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import { hostname } from "node:os";
import type { ColorDepth, Context, JobControl, OutputStream, ProcessIdentity } from "../base/context.ts";
import { DEFAULT_SCREEN } from "../base/terminal.ts";
import { isOutputClosed, watchReader } from "../files/descriptors.ts";
import { readVersion } from "./version.ts";
import { attempt, codeOf } from "../base/errors.ts";

/** The real process as a context. */
export function createProcessContext(signal: AbortSignal): Context {
  return {
    // stdin and process are getters: few commands need them, and they take time to open.
    get stdin() {
      return { stream: process.stdin, isTerminal: process.stdin.isTTY === true };
    },
    stdout: describeStream(openOutput(), 1),
    stderr: describeStream(process.stderr, 2),
    // Empty if it was deleted: then only relative paths fail.
    cwd: attempt(() => process.cwd()) ?? "",
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

/** Standard output; if it is closed, a stream on which every write fails. */
function openOutput(): typeof process.stdout {
  if (!isOutputClosed()) return process.stdout;
  const error = Object.assign(new Error("it is closed"), { code: "EBADF" });
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => done(chunk.length === 0 ? undefined : error),
  }) as typeof process.stdout;
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
  // Undefined if it is closed.
  const status = attempt(() => fstatSync(fd));
  return status !== undefined && (status.isFIFO() || status.isSocket());
}

/**
 * `NO_COLOR` overrides `FORCE_COLOR`, which takes the same values as in Node; else the depth of the terminal. Empty
 * variables count as unset (no-color.org, force-color.org); Node would take an empty one as set.
 */
function findColorDepth(stream: WriteStream, isTerminal: boolean): ColorDepth {
  const { NO_COLOR, FORCE_COLOR, ...env } = process.env;
  if (NO_COLOR) return 1;
  if (FORCE_COLOR) return FORCED_DEPTHS[FORCE_COLOR] ?? 4;
  return isTerminal && env["TERM"] !== "dumb" ? (stream.getColorDepth(env) as ColorDepth) : 1;
}

const FORCED_DEPTHS: Readonly<Record<string, ColorDepth>> = { 0: 1, false: 1, 2: 8, 3: 24 };

/** False on a dumb terminal; else from the first locale variable that is set. Windows sets none, and shows Unicode. */
export function showsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }: Context["env"]): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG;
  return TERM !== "dumb" && (locale ? /utf-?8/i.test(locale) : process.platform === "win32");
}

/** Signals that end the process at once, without an abort of the command. */
const FATAL_SIGNALS = ["SIGHUP", "SIGQUIT"] as const;

/** Wait after SIGCONT for a fatal signal sent with it: for a stopped job, `kill %1` sends both. */
const RESUME_MS = 20;

function createJobControl(signal: AbortSignal): JobControl {
  /** In the background, stops the processes of this job, as the kernel does if they change terminal settings. */
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
          // A background process gets no SIGWINCH when the terminal is resized.
          process.kill(process.pid, "SIGWINCH");
          enter();
        }, RESUME_MS);
      };
      const stop = () => {
        leave();
        // A handler replaces the default action, which is to stop.
        process.off("SIGTSTP", stop).kill(process.pid, "SIGTSTP");
        process.on("SIGTSTP", stop);
        // If no shell could resume the process, the kernel has not stopped it: resume now.
        resume();
      };
      const die = (name: NodeJS.Signals) => {
        leave();
        release();
        // Windows reports a closed console as SIGHUP, but cannot send it.
        if (attempt(() => process.kill(process.pid, name)) === undefined) process.kill(process.pid, "SIGKILL");
      };
      const release = () => {
        isUsed = false;
        process.off("SIGTSTP", stop).off("SIGCONT", resume);
        for (const name of FATAL_SIGNALS) process.off(name, die);
      };
      process.on("SIGTSTP", stop).on("SIGCONT", resume);
      for (const name of FATAL_SIGNALS) process.on(name, die);
      return { claim, release };
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
  const identity = {
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
  // Without /proc, the process with this id may be another one.
  return isRunning(other.pid) ? undefined : true;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Reads /proc/pid/stat (proc(5)) after the name in parentheses; undefined without /proc or such a process. */
function readStatus(pid: string) {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  if (!fields) return undefined;
  return {
    // Ended but not reaped: common in containers without an init.
    isZombie: fields[0] === "Z",
    started: fields[19] ?? "",
    group: Number(fields[2]),
    // The process group in the foreground of its terminal; -1 without one.
    foreground: Number(fields[5]),
  };
}
