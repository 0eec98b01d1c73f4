import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { codeOf, EntsError, type ErrorKind, messageOf, type HttpRefusal } from "../base/errors.ts";
import type { Context } from "../base/context.ts";
import type { JsonError } from "../base/json-bytes.ts";
import { formatSize } from "../base/sizes.ts";
import { formatInstant } from "../time/local-time.ts";
import { TimedOut } from "./exchange.ts";
import { shortenText } from "../base/shown-text.ts";

interface FailureOptions {
  readonly kind?: ErrorKind;
  /** Message when no attempt is left; by default, the message of the failure. */
  readonly final?: string;
  /** By default, `try again later` if the service is unavailable. */
  readonly hint?: string | undefined;
  /** The service's own message. */
  readonly said?: string | undefined;
  readonly refusal?: HttpRefusal | undefined;
  readonly cause?: unknown;
  /** Attempts that make sense; by default, as many as are allowed. */
  readonly attempts?: number | undefined;
  /** `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Set if the advice also depends on other requests of the run (`token`) or on the window (`heavy query`). */
  readonly problem?: "token" | "heavy query" | undefined;
}

/** A failed attempt at a request. The message contains neither the number of attempts nor advice. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly options: FailureOptions;

  constructor(message: string, options: FailureOptions) {
    super(message, { cause: options.cause });
    this.options = options;
  }

  /**
   * The error to report when no attempt is left, with further advice. `waitUntil`: milliseconds since 1970 UTC, if the
   * service says so.
   */
  toError(attempts: number, advice?: string, waitUntil?: number): EntsError {
    const { kind = "unavailable", final = this.message, hint, said, cause, refusal } = this.options;
    const what = `${final}${attempts > 1 ? ` after ${attempts} attempts` : ""}`;
    const when =
      waitUntil === undefined || waitUntil > LAST_INSTANT
        ? undefined
        : `after ${formatSecond(waitUntil)}, as the service asks`;
    const later =
      when !== undefined || (hint === undefined && kind === "unavailable") ? `try again ${when ?? "later"}` : undefined;
    const steps = [hint, said && later, advice].filter(Boolean);
    const message = said ? `${what}: ${said}` : [what, later].filter(Boolean).join("; ");
    return new EntsError(kind, message, { cause, refusal, hint: steps.join("; ") || undefined });
  }
}

/** No service is waited for until the year 10000: its number is none of seconds. */
const LAST_INSTANT = Date.UTC(9999, 11, 31);

function formatSecond(instant: number): string {
  return formatInstant(Math.ceil(instant / 1000) * 1000);
}

const TIMEOUTS: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: "no connection to",
  UND_ERR_HEADERS_TIMEOUT: "no response from",
  UND_ERR_BODY_TIMEOUT: "no more data from",
};

export interface ServiceRoute {
  /** For messages: the origin of the service, and the proxy, if any. */
  readonly route: string;
  /** What to check if it cannot be reached: `check the base address (--base-url)`. */
  readonly check: string;
  readonly env: Context["env"];
}

interface Waiting {
  readonly timeoutMs: number;
  /** The time that has passed; undefined if the failure is of another kind. */
  readonly ms?: number;
}

/** The failure that an error of the network is; any other error is returned as it is. */
export function toFailure(
  thrown: unknown,
  { route, check, env }: ServiceRoute,
  { timeoutMs, ms }: Waiting,
): Failure | Error {
  if (thrown instanceof Failure || isNoSystemError(thrown)) return thrown;
  const silence = thrown instanceof TimedOut ? thrown.message : TIMEOUTS[codeOf(thrown) ?? ""];
  if (silence !== undefined) {
    const hint = `try again later, or allow more time with ${FETCH_FLAGS.timeout}`;
    return new Failure(`${silence} ${route} (timeout: ${timeoutMs / 1000} s)`, { cause: thrown, hint });
  }
  const lasting = findLastingProblem(thrown, check, env);
  const after = ms === undefined || ms < 1000 ? "" : ` after ${Math.round(ms / 1000)} s`;
  const why = lasting?.why ?? `${describeCause(thrown)}${after}`;
  return new Failure(`cannot reach ${route} (${why})`, {
    cause: thrown,
    hint: lasting?.hint ?? `${check} and the network, or try again later`,
    attempts: lasting?.attempts,
  });
}

/** True for an error of ents or of Node itself: a failure of the network has a code of the system. */
function isNoSystemError(thrown: unknown): thrown is Error {
  const isOfLanguage = [RangeError, ReferenceError, SyntaxError, TypeError].some((kind) => thrown instanceof kind);
  return isOfLanguage && codeOf(thrown) === undefined;
}

/** True if an error while reading a body means that the connection ended early. */
export function isCutShort(error: unknown): boolean {
  return ["UND_ERR_SOCKET", "ECONNRESET", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"].includes(codeOf(error) ?? "");
}

export function incompleteResponse(cause: unknown): Failure {
  return new Failure("the response is incomplete", { cause });
}

/** A body that is not JSON. */
export function unreadable(cause: JsonError): EntsError {
  const hint = `check that the base address (${FETCH_FLAGS.baseUrl}) is that of a v4 service, and that no proxy changes responses`;
  return new EntsError("refused", cause.message, { cause, hint });
}

export function tooLarge(maxBody: number): EntsError {
  return new EntsError("refused", `the response is larger than ${formatSize(maxBody)}`, {
    hint: `allow more with ${FETCH_FLAGS.maxBody}, or split the query into smaller requests with ${FETCH_FLAGS.maxWindow}`,
  });
}

function describeCause(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0)
    return [...new Set(thrown.errors.map(describeCause))].join(", ");
  const {
    hostname = "",
    address,
    port,
  } = thrown as { readonly hostname?: string; readonly address?: string; readonly port?: number };
  switch (codeOf(thrown) ?? "") {
    case "EAI_AGAIN":
      return `cannot look up the host ${hostname}`.trim();
    case "ECONNREFUSED":
      return address === undefined ? "connection refused" : `connection refused by ${address}:${port}`;
    case "ECONNRESET":
    case "EPIPE":
      return "the connection was reset";
    case "ETIMEDOUT":
      return ["no connection", address && `to ${address}:${port}`].filter(Boolean).join(" ");
    case "ENETUNREACH":
    case "EHOSTUNREACH":
      return `no route to ${address ?? "the host"}`;
    default:
      return messageOf(thrown) || (codeOf(thrown) ?? "unknown cause");
  }
}

interface LastingProblem {
  readonly why: string;
  readonly hint: string;
  /** Attempts that make sense. */
  readonly attempts: number;
}

/** Undefined if a retry may help. */
function findLastingProblem(thrown: unknown, check: string, env: Context["env"]): LastingProblem | undefined {
  const code = codeOf(thrown) ?? "";
  if (thrown instanceof AggregateError) return findCommonProblem(thrown.errors, check, env);
  if (code === "ENOTFOUND") {
    const { hostname = "" } = thrown as { readonly hostname?: string };
    // A network that is just coming up may say so, too.
    return { why: `unknown host ${hostname}`.trim(), hint: `${check} and the network`, attempts: 2 };
  }
  const found = findTlsProblem(thrown, check, env) ?? PROBLEMS.get(code);
  return found && { hint: check, ...found, attempts: 1 };
}

/** One that every address of a host has. */
function findCommonProblem(errors: readonly unknown[], check: string, env: Context["env"]): LastingProblem | undefined {
  const problems = errors.map((error) => findLastingProblem(error, check, env));
  return problems.every((problem) => problem !== undefined) ? problems[0] : undefined;
}

type ServiceProblem = Omit<LastingProblem, "attempts">;

const NO_TLS = { why: "it does not speak TLS: is it an http:// address?" };
const NO_COMMON_TLS = { why: "it speaks no version of TLS that this Node speaks" };
const FORBIDDEN = {
  why: "this machine does not allow the connection",
  hint: "check the firewall and the permissions of this machine",
};

/** Without a hint, the address is to be checked. */
const PROBLEMS: ReadonlyMap<string, { readonly why: string; readonly hint?: string }> = new Map([
  ["ERR_SSL_WRONG_VERSION_NUMBER", NO_TLS],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", NO_TLS],
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", NO_COMMON_TLS],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", NO_COMMON_TLS],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", NO_COMMON_TLS],
  [
    "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL",
    { why: "it does not speak HTTP/1.1, which ents needs: HTTP/2 alone, perhaps" },
  ],
  ["UND_ERR_HEADERS_OVERFLOW", { why: "the headers of its response are longer than 64 KB" }],
  ["EACCES", FORBIDDEN],
  ["EPERM", FORBIDDEN],
]);

/** Codes of OpenSSL for a certificate that nobody known has signed. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "INVALID_CA",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function findTlsProblem(thrown: unknown, check: string, env: Context["env"]): ServiceProblem | undefined {
  const code = codeOf(thrown) ?? "";
  if (UNTRUSTED.has(code))
    return { why: `its certificate is not trusted: ${messageOf(thrown)}`, hint: adviseTrust(env) };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const { host = "", cert } = thrown as {
      readonly host?: string;
      readonly cert?: { readonly subjectaltname?: string };
    };
    const names = shortenText((cert?.subjectaltname ?? "no name").replaceAll("DNS:", ""));
    return {
      why: `its certificate is for ${names}, not ${host}`,
      hint: `${check}, and whether a login page or a proxy answers in its place`,
    };
  }
  if (code !== "CERT_HAS_EXPIRED" && code !== "CERT_NOT_YET_VALID") return undefined;
  const why = code === "CERT_HAS_EXPIRED" ? "its certificate has expired" : "its certificate is not valid yet";
  return { why, hint: "check the clock of this machine; if it is right, tell those who run the service" };
}

function adviseTrust({ NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, NODE_OPTIONS = "" }: Context["env"]): string {
  if (NODE_EXTRA_CA_CERTS)
    return "NODE_EXTRA_CA_CERTS is set, but its file does not have the certificate that signed this one";
  const file = SSL_CERT_FILE && !NODE_OPTIONS.includes("openssl-ca") ? SSL_CERT_FILE : undefined;
  return [
    `if your network inspects TLS, set NODE_EXTRA_CA_CERTS=${file ?? "<file with its certificate>"}, or from Node 22.19 on NODE_USE_SYSTEM_CA=1`,
    file && "Node does not read SSL_CERT_FILE",
  ]
    .filter(Boolean)
    .join("; ");
}
