/** The proxy of a service, from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (either case). */
import type { Context } from "../base/context.ts";
import { type EntsError, usageError } from "../base/errors.ts";
import { isLoopback } from "../base/loopback.ts";

type Env = Context["env"];

/** Undefined: connect directly. @throws {EntsError} usage: a proxy variable that is not an http(s) address. */
export function findProxy(baseUrl: URL, env: Env): URL | undefined {
  const httpProxy = readProxy(env, "http_proxy");
  const httpsProxy = readProxy(env, "https_proxy") ?? httpProxy;
  if (isExempt(baseUrl, env["no_proxy"] ?? env["NO_PROXY"] ?? "")) return undefined;
  if (baseUrl.protocol === "https:") return httpsProxy;
  // A token is never sent unencrypted to another machine, so neither to a proxy there.
  return httpProxy && isLoopback(httpProxy) ? httpProxy : undefined;
}

/** The proxy without its password. */
export function describeProxy({ origin }: URL): string {
  return `the proxy ${origin}`;
}

function readProxy(env: Env, name: string): URL | undefined {
  const variable = env[name] === undefined ? name.toUpperCase() : name;
  const text = env[variable] ?? "";
  if (text === "") return undefined;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.protocol === "http:" || url.protocol === "https:") && canDecode(url)) return url;
  throw invalidProxy(variable);
}

/** The value is not shown: it may hold a password. */
function invalidProxy(variable: string): EntsError {
  return usageError(`${variable} is not the address of an http(s) proxy`, "use http://host:port");
}

/** Whether the user name and password are valid percent-encoding. */
function canDecode({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** `NO_PROXY`: host names with all below them, each with a port or without, or `*`. */
function isExempt({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  return noProxy.split(/[\s,]+/).some((entry) => {
    const [, host = entry, exemptPort = ownPort] = /^([^:]+|\[.+\]):(\d+)$/.exec(entry) ?? [];
    const domain = host.replace(/^\*?\./, "").toLowerCase();
    if (domain === "" || exemptPort !== ownPort) return false;
    return domain === "*" || hostname === domain || hostname === `[${domain}]` || hostname.endsWith(`.${domain}`);
  });
}
