/** Who must act on a failure; main maps kinds to exit codes. */
export type ErrorKind = "usage" | "authentication" | "refused" | "unavailable" | "output" | "incomplete";

/** An HTTP answer that refused a request. */
export interface HttpRefusal {
  readonly status: number;
  /** The service's message. */
  readonly said: string;
}

interface EntsErrorOptions {
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  readonly refusal?: HttpRefusal | undefined;
}

/**
 * A failure that is not a bug: the message names the value and what is allowed, `hint` the next step.
 * `--verbose` prints the cause.
 */
export class EntsError extends Error {
  override readonly name = "EntsError";
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  /** The service's refusal, if that is the reason. */
  readonly refusal: HttpRefusal | undefined;

  constructor(kind: ErrorKind, message: string, options: EntsErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.hint = options.hint;
    this.refusal = options.refusal;
  }

  /** A copy of the error with its message changed. */
  mapMessage(change: (message: string) => string): EntsError {
    const { cause, refusal, hint } = this;
    return new EntsError(this.kind, change(this.message), { hint, cause, refusal });
  }

  /** A copy of the error with another hint. */
  withHint(hint: string): EntsError {
    const { cause, refusal } = this;
    return new EntsError(this.kind, this.message, { hint, cause, refusal });
  }
}

export function usageError(message: string, hint?: string): EntsError {
  return new EntsError("usage", message, { hint });
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error (`ENOENT`, `EPIPE`, …), or undefined. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Whether a write failed because the reader closed the pipe. Windows says EOF. */
export function isBrokenPipe(error: unknown): boolean {
  return ["EPIPE", "EOF"].includes(codeOf(error) ?? "");
}

/** The reader closed the pipe (`| head -1`); not a failure. */
export class BrokenPipe extends Error {
  override readonly name = "BrokenPipe";
}

/** The user or the system asked the command to stop. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly by: "SIGINT" | "SIGTERM";

  constructor(by: "SIGINT" | "SIGTERM") {
    super(`stopped by ${by}`);
    this.by = by;
  }
}

/** Undefined where it throws. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
