/** Who must act on a failure; main maps kinds to exit codes. */
export type ErrorKind = "usage" | "authentication" | "refused" | "unavailable" | "output" | "incomplete";

export interface HttpRefusal {
  readonly status: number;
  readonly said: string;
}

/** A failure that is not a bug: the message names the value and what is allowed, `hint` the next step; `--verbose` prints the cause. */
export class EntsError extends Error {
  override readonly name = "EntsError";
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  /** The service's refusal, if that caused the error. */
  readonly refusal: HttpRefusal | undefined;

  constructor(kind: ErrorKind, message: string, { hint, refusal, cause }: Partial<Pick<EntsError, "hint" | "refusal" | "cause">> = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.hint = hint;
    this.refusal = refusal;
  }

  mapMessage(change: (message: string) => string): EntsError {
    return new EntsError(this.kind, change(this.message), this);
  }

  withHint(hint: string): EntsError {
    return new EntsError(this.kind, this.message, { hint, cause: this.cause, refusal: this.refusal });
  }
}

export function usageError(message: string, hint?: string): EntsError {
  return new EntsError("usage", message, { hint });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error (`ENOENT`, `EPIPE`, …), or undefined. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** True if a write failed because the reader closed the pipe. Windows reports EOF. */
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

  constructor(by: Interrupted["by"]) {
    super(`stopped by ${by}`);
    this.by = by;
  }
}

/** The result of `read`; undefined if it throws. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
