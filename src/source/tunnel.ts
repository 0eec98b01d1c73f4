/**
 * Opens tunnels through a proxy. undici's own ProxyAgent reconnects endlessly and without a pause to a proxy that
 * closes the connection before it responds.
 */
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import { addAbortSignal } from "node:stream";
import { TimedOut } from "./exchange.ts";
import { Failure } from "./failure.ts";

interface TunnelOptions {
  /** For connecting to the proxy and for its response, in milliseconds. */
  readonly timeout: number;
  /** For connecting to one of several addresses of it. */
  readonly autoSelectFamilyAttemptTimeout: number;
  /** Destroys the connection when it aborts. */
  readonly signal: AbortSignal;
}

/** @throws {Failure} the proxy refused; {TimedOut} it did not respond; {Error} a network error. */
export function openTunnel(
  proxy: URL,
  authority: string,
  { timeout, signal, ...connect }: TunnelOptions,
): Promise<Socket> {
  const host = proxy.hostname.replace(/^\[|\]$/g, "");
  const { request } = proxy.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const asking = request({
      method: "CONNECT",
      host,
      // By default, Node takes this name from the Host header, and would expect the service's certificate.
      servername: isIP(host) ? "" : host,
      port: proxy.port,
      path: authority,
      headers: { host: authority, ...authorize(proxy) },
      agent: false,
      signal,
      ...connect,
    });
    const timer = setTimeout(() => asking.destroy(new TimedOut("no connection to")), timeout);
    asking.once("close", () => clearTimeout(timer)).once("error", reject);
    asking.once("connect", ({ statusCode = 0 }: IncomingMessage, socket: Socket, head: Buffer) => {
      clearTimeout(timer);
      const problem = explainRefusal(statusCode, head);
      // When it is destroyed, a TLS connection inside it ends, too.
      if (!problem) return resolve(addAbortSignal(signal, socket));
      socket.destroy();
      reject(problem);
    });
    asking.end();

    function explainRefusal(status: number, head: Buffer): Error | undefined {
      if (status < 200 || status > 299)
        return new Failure(`the proxy ${proxy.origin} refused a connection to ${authority} (HTTP ${status})`, {
          attempts: status >= 500 ? undefined : 1,
          hint:
            status === 407
              ? "check the user name and password in the proxy's address"
              : "check the proxy, or try again later",
        });
      // The service cannot have sent anything yet. With data from the proxy, undici would reconnect endlessly.
      return head.length > 0 ? new Error("the proxy sent data of its own instead of opening a tunnel") : undefined;
    }
  });
}

function authorize({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}
