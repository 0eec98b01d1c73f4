import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { codeOf, EntsError, type ErrorKind, messageOf, type HttpRefusal } from "../base/errors.ts";
import { formatSize } from "../base/sizes.ts";
import { TimedOut } from "./exchange.ts";

interface FailureOptions {
  readonly kind?: ErrorKind;
  /** What went wrong when no attempt is left; default: the message of the attempt. */
  readonly final?: string;
  /** Default: try again later. */
  readonly hint?: string | undefined;
  /** The service's own message. */
  readonly said?: string | undefined;
  /** The answer, where it refused the request. */
  readonly refusal?: HttpRefusal | undefined;
  readonly cause?: unknown;
  readonly retryable?: boolean;
  /** `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly problem?: Objection | undefined;
}

/** What the service objects to, where the advice depends on more than the failure. */
export type Objection = "token" | "heavy query";

/** A failed attempt at a request; the message does not count attempts or give advice. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly problem: Objection | undefined;
  readonly #options: FailureOptions;

  constructor(message: string, options: FailureOptions) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable ?? true;
    this.retryAfterMs = options.retryAfterMs;
    this.problem = options.problem;
    this.#options = options;
  }

  /** The error to report when no attempt is left, with further advice. */
  toError(attempts: number, advice?: string): EntsError {
    const { kind = "unavailable", final = this.message, hint, said, cause, refusal } = this.#options;
    const what = `${final}${attempts > 1 ? ` after ${attempts} attempts` : ""}`;
    const later = hint === undefined && kind === "unavailable" ? "try again later" : undefined;
    const steps = [hint, said && later, advice].filter(Boolean);
    const message = said ? `${what}: ${said}` : [what, later].filter(Boolean).join("; ");
    return new EntsError(kind, message, { cause, refusal, hint: steps.join("; ") || undefined });
  }
}

/** `rate limited (HTTP 429); retrying in 18 s (try 2 of 5)` */
export function describeRetry(retry: {
  readonly reason: string;
  readonly waitMs: number;
  readonly attempt: number;
  readonly attempts: number;
}): string {
  return `${retry.reason}; retrying in ${Math.ceil(retry.waitMs / 1000)} s (try ${retry.attempt} of ${retry.attempts})`;
}

/** Error codes of undici and Node for a timeout. */
const TIMEOUTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: "no connection to",
  UND_ERR_HEADERS_TIMEOUT: "no answer from",
  UND_ERR_BODY_TIMEOUT: "no more data from",
  ETIMEDOUT: "no connection to",
};

/** The way to a service. */
export interface ServiceRoute {
  /** For messages: the service's origin, and its proxy. */
  readonly route: string;
  /** What to check where it cannot be reached. */
  readonly advice: string;
}

/** The failure behind a network error. */
export function toFailure(thrown: unknown, { route, advice }: ServiceRoute, timeoutMs: number): Failure {
  if (thrown instanceof Failure) return thrown;
  const silence = thrown instanceof TimedOut ? thrown.message : TIMEOUTS[codeOf(thrown) ?? ""];
  if (silence !== undefined) {
    const hint = `try again later, or allow more time with ${FETCH_FLAGS.timeout}`;
    return new Failure(`${silence} ${route} (timeout: ${timeoutMs / 1000} s)`, { cause: thrown, hint });
  }
  return new Failure(`cannot reach ${route} (${describeCause(thrown)})`, { cause: thrown, hint: advice });
}

/** Whether an error while reading a body says that the connection ended. */
export function isCutShort(error: unknown): boolean {
  const code = codeOf(error);
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
}

export function incompleteAnswer(cause: unknown): Failure {
  return new Failure("the service's answer is incomplete", { cause });
}

/** A body past its limit, as sent or unpacked. */
export function tooLarge(maxBody: number): EntsError {
  return new EntsError("refused", `the service's answer is larger than ${formatSize(maxBody)}`, {
    hint: `allow more with ${FETCH_FLAGS.maxBody}, or split the query into smaller requests with ${FETCH_FLAGS.maxWindow}`,
  });
}

function describeCause(thrown: unknown): string {
  if (codeOf(thrown) === "ERR_SSL_WRONG_VERSION_NUMBER") return "it does not speak TLS: is it an http:// address?";
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return describeCause(thrown.errors[0]);
  return describeSystemCause(thrown as NetworkError) ?? (messageOf(thrown) || (codeOf(thrown) ?? "unknown cause"));
}

/** An error of a system call, with what it was about. */
type NetworkError = NodeJS.ErrnoException & { readonly hostname?: string; readonly address?: string; readonly port?: number };

function describeSystemCause({ code, hostname, address, port }: NetworkError): string | undefined {
  switch (code ?? "") {
    case "ENOTFOUND":
      return `unknown host ${hostname ?? ""}`.trim();
    case "EAI_AGAIN":
      return `cannot look up the host ${hostname ?? ""}`.trim();
    case "ECONNREFUSED":
      return address === undefined ? "connection refused" : `connection refused by ${address}:${port}`;
    case "ECONNRESET":
    case "EPIPE":
      return "the connection was reset";
    case "ENETUNREACH":
    case "EHOSTUNREACH":
      return `no route to ${address ?? "the host"}`;
    default:
      return undefined;
  }
}
