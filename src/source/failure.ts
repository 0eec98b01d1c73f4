import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { codeOf, EntsError, messageOf } from "../base/errors.ts";

/** A try that failed, and whether another may succeed. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly error: EntsError;
  readonly retryable: boolean;
  /** What the service asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(error: EntsError, { retryable, retryAfterMs }: { retryable: boolean; retryAfterMs?: number | undefined }) {
    super(error.message, { cause: error });
    this.error = error;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Codes of undici and Node for a wait that took too long, and what was waited for. */
const TIMEOUTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: "no connection",
  UND_ERR_HEADERS_TIMEOUT: "no answer",
  UND_ERR_BODY_TIMEOUT: "no further byte of the answer",
  ETIMEDOUT: "no connection",
};

/** The failure behind anything that was thrown while getting an answer from `origin`. */
export function toFailure(thrown: unknown, origin: string, timeoutMs: number): Failure {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof EntsError) return new Failure(thrown, { retryable: false });
  if (codeOf(thrown) === "Z_BUF_ERROR") return endedEarly(thrown);
  const waitedFor = TIMEOUTS[codeOf(thrown) ?? ""];
  const message = waitedFor
    ? `${waitedFor} from ${origin} within ${timeoutMs / 1000} s`
    : `${origin} could not be reached: ${describeCause(thrown)}`;
  const hint = waitedFor
    ? `try again later, or give it longer with ${FETCH_FLAGS.timeout}`
    : "check the network and the base address, or try again later";
  return new Failure(new EntsError("unavailable", message, { cause: thrown, hint }), { retryable: true });
}

/** Whether an error in the middle of a body says that the connection ended. */
export function isCutShort(error: unknown): boolean {
  const code = codeOf(error);
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
}

/** An answer of which only a part came. */
export function endedEarly(cause: unknown): Failure {
  const error = new EntsError("unavailable", "the service's answer ended early", { cause, hint: "try again later" });
  return new Failure(error, { retryable: true });
}

function describeCause(thrown: unknown): string {
  if (codeOf(thrown)?.startsWith("Z_")) return "the answer came damaged";
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return describeCause(thrown.errors[0]);
  return messageOf(thrown) || (codeOf(thrown) ?? "unknown cause");
}
