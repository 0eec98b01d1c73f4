/** Whose turn it is when a command fails; main maps each to an exit code, here nothing knows of processes. */
export type ErrorKind = "usage" | "authentication" | "refused" | "unavailable" | "output";

/**
 * A failure that is not a bug: the message says what went wrong with the value and what is allowed,
 * `hint` the next step. The cause is kept for `--verbose`.
 */
export class EntsError extends Error {
  override readonly name = "EntsError";
  readonly kind: ErrorKind;
  readonly hint: string | undefined;

  constructor(kind: ErrorKind, message: string, options: { hint?: string | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.hint = options.hint;
  }
}

export function usageError(message: string, hint?: string): EntsError {
  return new EntsError("usage", message, { hint });
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a system error (`ENOENT`, `EPIPE`, …), or undefined. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The reader of standard output closed it (`| head -1`): nobody wants the rest, and nothing went wrong. */
export class ReaderLeft extends Error {
  override readonly name = "ReaderLeft";
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
