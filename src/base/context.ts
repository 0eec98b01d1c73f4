import type { Readable, Writable } from "node:stream";
import type { Dispatcher } from "undici";

/** Bits of a colour: 1 is none, 4 is the palette of 16, 8 the one of 256. */
export type ColorDepth = 1 | 4 | 8 | 24;

/** An output stream and the terminal that shows it, if any. */
export interface OutputStream {
  readonly stream: Writable;
  readonly isTerminal: boolean;
  /** Whether another program reads it. */
  readonly isPipe: boolean;
  /** Whether the program behind a pipe still reads, or cannot be asked. */
  readonly hasReader?: (() => boolean) | undefined;
  /** Width of the terminal in cells; undefined without a terminal. */
  readonly columns: number | undefined;
  /** Height of the terminal in lines. */
  readonly rows: number | undefined;
  /** By terminal, `NO_COLOR` and `FORCE_COLOR`. */
  readonly colors: boolean;
  readonly colorDepth: ColorDepth;
  /** Whether it shows more than ASCII: by the locale, and not on a dumb terminal. */
  readonly unicode: boolean;
}

/** An input stream; `isTerminal` decides whether to prompt. */
export interface InputStream {
  readonly stream: Readable;
  readonly isTerminal: boolean;
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

/** What a shell does with a program on its terminal. */
export interface JobControl {
  /** Begins to draw on all of the terminal. */
  use(hooks: TerminalHooks): TerminalUse;
}

export interface TerminalHooks {
  /** Called before the process is stopped (Ctrl-Z) or killed: gives the terminal back. */
  readonly leave: () => void;
  /** Called when the process goes on in the foreground, perhaps on a terminal of another size. */
  readonly enter: () => void;
}

export interface TerminalUse {
  /** Whether the terminal may be drawn on. In the background, the process stops here until it is in the foreground again. */
  readonly claim: () => boolean;
  readonly release: () => void;
}

/** Everything outside the program; tests pass their own. Only `src/main` uses the global `process`. */
export interface Context {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** The directory that relative paths start from. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The version of ents. */
  readonly version: string;
  readonly process: {
    /** For lock files: this process, and whether another has ended (undefined: unknown). */
    readonly identity: ProcessIdentity;
    readonly isGone: (other: ProcessIdentity) => boolean | undefined;
    /** Undefined on Windows. */
    readonly uid?: number | undefined;
  };
  /** Undefined where no shell controls the process. */
  readonly jobControl?: JobControl | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  /** Milliseconds that a change of the clock does not affect, from any start. */
  readonly monotonic: () => number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Uniform in [0, 1): the jitter of retries. */
  readonly random: () => number;
  /** Aborts when the command must stop (SIGINT, SIGTERM, a closed pipe). */
  readonly signal: AbortSignal;
  /** The tokens in use; messages hide them. */
  readonly secrets: Set<string>;
  /** Replaces the connection pool; by default one that uses the proxy variables. */
  readonly dispatcher: Dispatcher | undefined;
}
