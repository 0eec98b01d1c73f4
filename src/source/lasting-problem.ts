/** Why a service cannot be reached, where no retry can help, and what does. */
import type { Context } from "../base/context.ts";
import { codeOf, messageOf } from "../base/errors.ts";
import { shortenText } from "../base/shown-text.ts";

interface LastingProblem {
  readonly why: string;
  readonly hint: string;
  /** Attempts that make sense. */
  readonly attempts: number;
}

/** Undefined if a retry may help. */
export function findLastingProblem(thrown: unknown, check: string, env: Context["env"]): LastingProblem | undefined {
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
