import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import { usageError } from "../base/errors.ts";
import { isLoopback } from "../base/loopback.ts";

/**
 * A connection pool that supports `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (either case).
 * @throws {EntsError} usage: a proxy variable that is not an address.
 */
export function openDispatcher(baseUrl: URL, env: Readonly<Record<string, string | undefined>>, timeoutMs: number): Dispatcher {
  const httpProxy = readProxy(env, "http_proxy");
  const httpsProxy = readProxy(env, "https_proxy") ?? httpProxy;
  return new EnvHttpProxyAgent({
    httpProxy: httpProxy && isAllowed(httpProxy, baseUrl) ? httpProxy : "",
    httpsProxy: httpsProxy ?? "",
    noProxy: env["no_proxy"] ?? env["NO_PROXY"] ?? "",
    connect: { timeout: timeoutMs },
  });
}

/** A token is never sent unencrypted to another machine, so neither to a proxy there. */
function isAllowed(proxy: string, baseUrl: URL): boolean {
  return baseUrl.protocol === "https:" || isLoopback(new URL(proxy));
}

function readProxy(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const text = env[name] ?? env[name.toUpperCase()];
  if (text === undefined || text === "") return undefined;
  const address = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(address)) return address;
  throw usageError(`${name.toUpperCase()} is not the address of a proxy`, "use http://host:port");
}
