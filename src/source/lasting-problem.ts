/** Why a service cannot be reached, where no retry can help, and what does. */
import type { Context } from "../base/context.ts";
import { codeOf, messageOf } from "../base/errors.ts";
import { shortenText } from "../base/shown-text.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";

interface LastingProblem {
  readonly why: string;
  readonly hint: string;
  /** Attempts that make sense. */
  readonly attempts: number;
}

/** Undefined if a retry may help. */
export function findLastingProblem(thrown: unknown, env: Context["env"]): LastingProblem | undefined {
  const code = codeOf(thrown) ?? "";
  if (thrown instanceof AggregateError) return findCommonProblem(thrown.errors, env);
  if (code === "ENOTFOUND") {
    const { hostname = "" } = thrown as { readonly hostname?: string };
    // A network that is just coming up may say so, too.
    return { why: `unknown host ${hostname}`.trim(), hint: `check the base address (${FETCH_FLAGS.baseUrl}) and the network`, attempts: 2 };
  }
  const found = findTlsProblem(code, thrown, env) ?? PROBLEMS.get(code);
  return found && { ...found, attempts: 1 };
}

/** One that every address of a host has. */
function findCommonProblem(errors: readonly unknown[], env: Context["env"]): LastingProblem | undefined {
  const problems = errors.map((error) => findLastingProblem(error, env));
  return problems.every((problem) => problem !== undefined) ? problems[0] : undefined;
}

type Problem = Omit<LastingProblem, "attempts">;

const CHECK_ADDRESS = `check the base address (${FETCH_FLAGS.baseUrl})`;
const FORBIDDEN = { why: "this machine does not allow the connection", hint: "check the firewall and the permissions of this machine" };
const NO_COMMON_TLS = { why: "it speaks no version of TLS that this Node speaks", hint: `use another Node, or ${CHECK_ADDRESS}` };

const PROBLEMS: ReadonlyMap<string, Problem> = new Map([
  ["ERR_SSL_WRONG_VERSION_NUMBER", { why: "it does not speak TLS: is it an http:// address?", hint: CHECK_ADDRESS }],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", { why: "it does not speak TLS: is it an http:// address?", hint: CHECK_ADDRESS }],
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", NO_COMMON_TLS],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", NO_COMMON_TLS],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", NO_COMMON_TLS],
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

function findTlsProblem(code: string, thrown: unknown, env: Context["env"]): Problem | undefined {
  if (UNTRUSTED.has(code)) return { why: `its certificate is not trusted: ${messageOf(thrown)}`, hint: adviseTrust(env) };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const { host = "", cert } = thrown as { readonly host?: string; readonly cert?: { readonly subjectaltname?: string } };
    const names = shortenText((cert?.subjectaltname ?? "no name").replaceAll("DNS:", ""));
    return {
      why: `its certificate is for ${names}, not ${host}`,
      hint: `${CHECK_ADDRESS}, and whether a login page or a proxy answers in its place`,
    };
  }
  if (code !== "CERT_HAS_EXPIRED" && code !== "CERT_NOT_YET_VALID") return undefined;
  const why = code === "CERT_HAS_EXPIRED" ? "its certificate has expired" : "its certificate is not valid yet";
  return { why, hint: "check the clock of this machine; if it is right, tell those who run the service" };
}

function adviseTrust({ NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, NODE_OPTIONS = "" }: Context["env"]): string {
  if (NODE_EXTRA_CA_CERTS) return "NODE_EXTRA_CA_CERTS is set, but its file does not have the certificate that signed this one";
  const file = SSL_CERT_FILE && !NODE_OPTIONS.includes("openssl-ca") ? SSL_CERT_FILE : undefined;
  return [
    `if your network inspects TLS, set NODE_EXTRA_CA_CERTS=${file ?? "<file with its certificate>"}, or from Node 22.15 on NODE_OPTIONS=--use-system-ca`,
    file && "Node does not read SSL_CERT_FILE",
  ]
    .filter(Boolean)
    .join("; ");
}
