import type { Readable, Writable } from "node:stream";
import type { Dispatcher } from "undici";

/** An output stream, and what is known of the reader at its other end. */
export interface OutputStream {
  readonly stream: Writable;
  readonly isTerminal: boolean;
  /** Width of the terminal, in cells; undefined where there is none. */
  readonly columns: number | undefined;
  /** Its height, in lines. */
  readonly rows: number | undefined;
  /** Whether the reader wants colours (terminal, `NO_COLOR`, `FORCE_COLOR`). */
  readonly colors: boolean;
}

/** An input stream; `isTerminal` decides whether a person is asked. */
export interface InputStream {
  readonly stream: Readable;
  readonly isTerminal: boolean;
}

/** A process, told from every other one: process numbers are used again, and are the same in each container. */
export interface ProcessIdentity {
  readonly host: string;
  /** Changes whenever the machine is started. */
  readonly boot: string;
  /** In which process numbers count. */
  readonly namespace: string;
  readonly pid: number;
  readonly started: string;
}

/** Everything outside the program. Tests hand in their own; nothing below reaches for `process`. */
export interface Context {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** The directory that relative paths start from. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The version of ents. */
  readonly version: string;
  /** This process, and whether another has ended (undefined: it cannot be asked after): what a lock file needs. */
  readonly process: { readonly identity: ProcessIdentity; readonly isGone: (other: ProcessIdentity) => boolean | undefined };
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  /** Resolves after `ms`, or rejects with the signal's reason at once when it aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Uniform in [0, 1): the jitter of retries. */
  readonly random: () => number;
  /** Aborts when the command is to stop (SIGINT, SIGTERM, a closed pipe). */
  readonly signal: AbortSignal;
  /** Replaces the connection pool; undefined opens one that heeds the proxy variables. */
  readonly dispatcher: Dispatcher | undefined;
}
