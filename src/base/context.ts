import type { Readable, Writable } from "node:stream";
import type { Dispatcher } from "undici";

/** Bits per colour: 1 is no colour, 4 is 16 colours, 8 is 256 colours, 24 is true colour. */
export type ColorDepth = 1 | 4 | 8 | 24;

export const MESSAGE_FORMATS = ["text", "json"] as const;
export type MessageFormat = (typeof MESSAGE_FORMATS)[number];

/** An output stream and the terminal that shows it, if any. */
export interface OutputStream {
  readonly stream: Writable;
  readonly isTerminal: boolean;
  /** True for a pipe or socket that another program reads. */
  readonly isPipe: boolean;
  /** True while the program behind the pipe still reads, or if that is unknown. Undefined if it is not a pipe. */
  readonly hasReader?: (() => boolean) | undefined;
  /** Width of the terminal in cells; undefined without a terminal. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** From the terminal, `NO_COLOR` and `FORCE_COLOR`. */
  readonly colors: boolean;
  readonly colorDepth: ColorDepth;
  /** True if it can show more than ASCII: depends on the locale; false on a dumb terminal. */
  readonly unicode: boolean;
}

/** Identifies a process across restarts and containers, where process ids repeat. */
export interface ProcessIdentity {
  readonly host: string;
  /** Changes at every boot of the machine. */
  readonly boot: string;
  /** The namespace of `pid`. */
  readonly namespace: string;
  readonly pid: number;
  readonly started: string;
}

export interface JobControl {
  /**
   * Takes over the terminal for full-screen drawing. Calls `leave` before the process is stopped (Ctrl-Z) or killed,
   * and `enter` when it resumes in the foreground; the terminal may have been resized.
   */
  use(hooks: { readonly leave: () => void; readonly enter: () => void }): {
    /**
     * True if the terminal may be drawn on. In the background, stops the process until it is in the foreground again.
     */
    readonly claim: () => boolean;
    readonly release: () => void;
  };
}

/** Everything outside the program; tests pass their own. Only `src/main` uses the global `process`. */
export interface Context {
  readonly stdin: { readonly stream: Readable; readonly isTerminal: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** How messages are written on standard error (`--errors`): for people, by default, or an object a line. */
  readonly messageFormat?: MessageFormat;
  /** The base directory of relative paths. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly process: {
    /** For lock files: identifies this process, and checks whether another has ended (undefined if unknown). */
    readonly identity: ProcessIdentity;
    readonly isGone: (other: ProcessIdentity) => boolean | undefined;
    /** Undefined on Windows. */
    readonly uid?: number | undefined;
  };
  /** Undefined in tests, which have no terminal to share. */
  readonly jobControl?: JobControl | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  /** Milliseconds since an arbitrary start; not affected by changes of the system clock. */
  readonly monotonic: () => number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Uniform in [0, 1); used for retry jitter. */
  readonly random: () => number;
  /** Aborts when the command must stop (SIGINT, SIGTERM, a closed pipe). */
  readonly signal: AbortSignal;
  /** Tokens in use, which are masked in messages. */
  readonly secrets: Set<string>;
  /**
   * What the exports of one command share, by service: its rate, and what is known of it. Undefined if there is one
   * export.
   */
  readonly shared?: Map<string, unknown> | undefined;
  /** Replaces the connection pool; undefined for the default pool, which uses the proxy variables. */
  readonly dispatcher: Dispatcher | undefined;
}

/** A copy with other properties. Getters stay getters: some take time. */
export function changeContext(context: Context, changes: Partial<Context>): Context {
  const properties = { ...Object.getOwnPropertyDescriptors(context), ...Object.getOwnPropertyDescriptors(changes) };
  return Object.defineProperties({}, properties) as Context;
}
