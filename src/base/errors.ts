import { didYouMean } from "./phrases.ts";

/** Who must act on a failure; main maps kinds to exit codes. */
export type ErrorKind = "usage" | "authentication" | "refused" | "unavailable" | "output" | "incomplete";

/** What programs need of an error besides its text (`--errors json`). The text is made of them, where it has them. */
export interface ErrorDetails {
  /** The flag with the value. */
  readonly flag?: string | undefined;
  readonly value?: string | undefined;
  /** All values that are allowed. */
  readonly allowed?: readonly string[] | undefined;
  /** What was probably meant, most likely first: values, flags or commands. */
  readonly didYouMean?: readonly string[] | undefined;
  /** The command that goes on where this one stopped. */
  readonly resume?: string | undefined;
}

export interface HttpRefusal {
  readonly status: number;
  readonly said: string;
}

/**
 * A failure that is not a bug: the message names the value and what is allowed, `hint` the next step; `--verbose`
 * prints the cause.
 */
export class EntsError extends Error {
  override readonly name = "EntsError";
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  /** The service's refusal, if that caused the error. */
  readonly refusal: HttpRefusal | undefined;
  readonly facts: ErrorDetails;

  constructor(kind: ErrorKind, message: string, { hint, refusal, cause, facts = {} }: Partial<Details> = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.hint = hint;
    this.refusal = refusal;
    this.facts = facts;
  }

  mapMessage(change: (message: string) => string): EntsError {
    return new EntsError(this.kind, change(this.message), this);
  }

  withHint(hint: string | undefined, facts: ErrorDetails = {}): EntsError {
    return new EntsError(this.kind, this.message, {
      hint,
      cause: this.cause,
      refusal: this.refusal,
      facts: { ...this.facts, ...facts },
    });
  }
}

type Details = Pick<EntsError, "hint" | "refusal" | "cause" | "facts">;

/** The message ends with what was probably meant, if the facts have that. */
export function usageError(message: string, hint?: string, facts: ErrorDetails = {}): EntsError {
  return new EntsError("usage", message + didYouMean(facts.didYouMean ?? []), { hint, facts });
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
