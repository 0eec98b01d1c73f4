/** The command line in this process, with its own context: streams in memory, environment, folder and clock. */
import { Readable, Writable } from "node:stream";
import type { Context, OutputStream } from "../../src/base/context.ts";
import { main } from "../../src/main/main.ts";
import { createProcessContext, showsUnicode } from "../../src/main/process-context.ts";
import { type Clock, createVirtualClock } from "./virtual-clock.ts";

/** How a command ended, and its output. */
export interface Run {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Text on standard input; none by default. `open` leaves it open and silent. */
  readonly stdin?: string | { readonly open: true };
  /** Added to the home's environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether waits take time. `virtual`, the default, skips them; an object replaces parts of the clock. */
  readonly clock?: "virtual" | "real" | Partial<Clock> | undefined;
  /** Both outputs are a terminal with this many columns, by default 24 rows, and colours. */
  readonly columns?: number;
  readonly rows?: number;
  readonly colors?: boolean;
  /** Stops the command as a signal does: aborted with an `Interrupted` reason. */
  readonly signal?: AbortSignal;
  /** Merges standard error into standard output: `2>&1`. */
  readonly together?: boolean;
  /** Answers requests without a connection. */
  readonly dispatcher?: Context["dispatcher"];
  /** Called at each write to standard output. */
  readonly onOutput?: () => void;
}

/** Where and as which user a command runs. */
export interface Place {
  readonly cwd: string;
  readonly env: Context["env"];
}

/** This process's own, read once. */
const REAL: Context = { ...createProcessContext(new AbortController().signal) };

/** Runs `ents` with the arguments after its name. */
export async function runInProcess(
  args: readonly string[],
  { cwd, env }: Place,
  options: RunOptions = {},
): Promise<Run> {
  const stdout = collect(options.onOutput);
  const stderr = options.together ? stdout : collect();
  const id = nextId++;
  running.add(id);
  try {
    const code = await main(args, {
      ...REAL,
      signal: options.signal ?? new AbortController().signal,
      secrets: new Set(),
      ...openClock(options.clock),
      stdin: { stream: openInput(options.stdin), isTerminal: false },
      stdout: describe(stdout, env, options),
      stderr: describe(stderr, env, options),
      cwd,
      env,
      process: {
        ...REAL.process,
        identity: { ...REAL.process.identity, pid: id },
        isGone: (other) => (running.has(other.pid) ? false : REAL.process.isGone(other)),
      },
      jobControl: undefined,
      dispatcher: options.dispatcher,
      random: () => 0.5,
    });
    return { code, signal: null, stdout: stdout.text(), stderr: options.together ? "" : stderr.text() };
  } finally {
    running.delete(id);
  }
}

function openClock(clock: RunOptions["clock"] = "virtual"): Partial<Clock> {
  if (typeof clock === "object") return clock;
  return clock === "real" ? {} : createVirtualClock();
}

/** To each other and to lock files, the runs look like processes, with ids that no system assigns. */
const running = new Set<number>();
let nextId = 2 ** 31;

function openInput(stdin: RunOptions["stdin"] = ""): Readable {
  if (typeof stdin === "object") return new Readable({ read: () => {} });
  return Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]);
}

interface Collector {
  readonly stream: Writable;
  readonly text: () => string;
}

function collect(onOutput?: () => void): Collector {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      // A copy, as the writer may reuse the memory.
      chunks.push(Buffer.from(chunk));
      done();
      onOutput?.();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
}

function describe(
  { stream }: Collector,
  env: Context["env"],
  { columns, rows = 24, colors = true }: RunOptions,
): OutputStream {
  const unicode = showsUnicode(env);
  if (columns === undefined)
    return { stream, isTerminal: false, isPipe: true, columns, rows: undefined, colors: false, colorDepth: 1, unicode };
  return { stream, isTerminal: true, isPipe: false, columns, rows, colors, colorDepth: colors ? 8 : 1, unicode };
}
