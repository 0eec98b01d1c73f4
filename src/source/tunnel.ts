/**
 * Connections through a proxy. undici's own ProxyAgent connects again and again, without a pause or an end, to a proxy that
 * closes the connection before it answers.
 */
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import { addAbortSignal } from "node:stream";
import { buildConnector } from "undici";
import { Failure } from "./failure.ts";
import { describeProxy } from "./proxy.ts";

export interface TunnelOptions {
  /** For the proxy's answer, and for TLS after it, in milliseconds. */
  readonly timeoutMs: number;
  /** Destroys all connections. */
  readonly signal: AbortSignal;
}

/** Connects through the proxy, with TLS to the service inside the tunnel. */
export function createTunnelConnector(proxy: URL, connect: TunnelOptions): buildConnector.connector {
  const secure = buildConnector({ timeout: connect.timeoutMs });
  const open = async (options: buildConnector.Options, callback: buildConnector.Callback) => {
    const authority = options.port ? (options.host ?? options.hostname) : `${options.host}:${options.protocol === "https:" ? 443 : 80}`;
    let socket: Socket;
    try {
      socket = await openTunnel(proxy, authority, connect);
    } catch (error) {
      return callback(error as Error, null);
    }
    if (options.protocol === "https:") secure({ ...options, httpSocket: socket }, callback);
    else callback(null, socket);
  };
  return (options, callback) => void open(options, callback);
}

/** @throws {Failure} the proxy refused; {Error} of the network, `ETIMEDOUT` among them. */
function openTunnel(proxy: URL, authority: string, { timeoutMs, signal }: TunnelOptions): Promise<Socket> {
  const host = proxy.hostname.replace(/^\[|\]$/g, "");
  const { request } = proxy.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const asking = request({
      method: "CONNECT",
      host,
      // Else the certificate would have to be that of the service.
      servername: isIP(host) ? "" : host,
      port: proxy.port,
      path: authority,
      headers: { host: authority, ...authorize(proxy) },
      agent: false,
      signal,
    });
    const timedOut = Object.assign(new Error("the proxy did not answer"), { code: "ETIMEDOUT" });
    const timer = setTimeout(() => asking.destroy(timedOut), timeoutMs);
    asking.once("close", () => clearTimeout(timer)).once("error", reject);
    asking.once("connect", ({ statusCode }: IncomingMessage, socket: Socket, head: Buffer) => {
      clearTimeout(timer);
      if (statusCode === undefined || statusCode < 200 || statusCode > 299) {
        socket.destroy();
        return reject(refusedByProxy(proxy, authority, statusCode ?? 0));
      }
      // The service cannot have said anything yet. undici would connect again and again.
      if (head.length > 0) {
        socket.destroy();
        return reject(new Error("the proxy sent data of its own instead of opening a tunnel"));
      }
      // TLS inside it ends with it.
      resolve(addAbortSignal(signal, socket));
    });
    asking.end();
  });
}

function authorize({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}

function refusedByProxy(proxy: URL, authority: string, status: number): Failure {
  return new Failure(`${describeProxy(proxy)} refused a connection to ${authority} (HTTP ${status})`, {
    retryable: status >= 500,
    hint: status === 407 ? "check the user name and password in the proxy's address" : "check the proxy, or try again later",
  });
}
