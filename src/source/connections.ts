/**
 * Connects to a service, directly or through the proxy set by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (in either
 * case).
 */
import { BlockList, isIP, type Socket } from "node:net";
import { buildConnector, type Dispatcher, Pool } from "undici";
import type { Context } from "../base/context.ts";
import { attempt, usageError } from "../base/errors.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { isLoopback } from "../settings/token.ts";
import { type ServiceRoute, toFailure } from "./failure.ts";

export interface Connections extends ServiceRoute {
  readonly dispatcher: Dispatcher;
  /**
   * Ends all connections at once, including those still being opened. With `leavesIdle`, only does so if one is still
   * being opened: idle connections do not keep the process alive, and end with it.
   */
  close(leavesIdle?: boolean): Promise<void>;
}

const CHECK_BASE = `check the base address (${FETCH_FLAGS.baseUrl})`;
const CHECK_PROXY = "check the address of the proxy (HTTPS_PROXY, HTTP_PROXY)";

/**
 * Milliseconds for a connection to one of several addresses of a host. Node's own 250 ms are too short for distant or
 * busy hosts.
 */
const ADDRESS_MS = 3000;

/** `timeoutMs`: for a connection, to all addresses together. */
function limitTime(timeoutMs: number) {
  return { timeout: timeoutMs, autoSelectFamilyAttemptTimeout: Math.ceil(Math.min(ADDRESS_MS, timeoutMs / 2)) };
}

/** @throws {EntsError} usage: a proxy variable that is not an http(s) address. */
export function openConnections(
  baseUrl: URL,
  { env, dispatcher }: Pick<Context, "env" | "dispatcher">,
  timeoutMs: number,
): Connections {
  if (dispatcher) return { dispatcher, route: baseUrl.origin, check: CHECK_BASE, env, close: () => Promise.resolve() };
  const proxy = findProxy(baseUrl, env);
  const connect = proxy ? connectThrough(proxy, env, timeoutMs) : connectDirectly(timeoutMs);
  // Functions that cancel connections still being opened: aborting a request does not cancel them.
  const making = new Set<() => void>();
  const pool = new Pool(baseUrl.origin, {
    maxHeaderSize: MAX_HEAD,
    connect: (options, callback) => {
      const giveUp = connect(options, (...result) => {
        making.delete(giveUp);
        if (result[1]) passOverInformational(result[1]);
        callback(...result);
      });
      making.add(giveUp);
    },
  });
  return {
    dispatcher: pool,
    route: proxy ? `${baseUrl.origin} through the proxy ${proxy.origin}` : baseUrl.origin,
    check: proxy ? `${CHECK_BASE}, the proxy (HTTPS_PROXY, HTTP_PROXY)` : CHECK_BASE,
    env,
    close: async (leavesIdle = false) => {
      if (leavesIdle && making.size === 0) return;
      await pool.destroy();
      for (const giveUp of making) giveUp();
    },
  };
}

/** Opens one connection. Returns a function that cancels it. */
type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => () => void;

/** Passes no signal to `buildConnector`: it would keep every socket in memory as long as the signal exists. */
function connectDirectly(timeoutMs: number): Connect {
  // The function returns the socket, which its type omits.
  const connect = buildConnector(limitTime(timeoutMs)) as (...connection: Parameters<Connect>) => Socket;
  return (options, callback) => {
    const socket = connect(options, callback);
    return () => socket.destroy(new Error("the connection is not needed any more"));
  };
}

function connectThrough(proxy: URL, env: Context["env"], timeoutMs: number): Connect {
  const route = { route: `the proxy ${proxy.origin}`, check: CHECK_PROXY, env };
  const secure = buildConnector({ timeout: timeoutMs });
  const open = async (options: buildConnector.Options, callback: buildConnector.Callback, signal: AbortSignal) => {
    const isSecure = options.protocol === "https:";
    const authority = options.port ? (options.host ?? options.hostname) : `${options.host}:${isSecure ? 443 : 80}`;
    let socket: Socket;
    try {
      // Loaded late: its imports node:http and node:https take 3 ms.
      const { openTunnel } = await import("./tunnel.ts");
      socket = await openTunnel(proxy, authority, { ...limitTime(timeoutMs), signal });
    } catch (error) {
      return callback(signal.aborted ? (error as Error) : toFailure(error, route, { timeoutMs }), null);
    }
    if (isSecure) secure({ ...options, httpSocket: socket }, callback);
    else callback(null, socket);
  };
  return (options, callback) => {
    const controller = new AbortController();
    void open(options, callback, controller.signal);
    return () => controller.abort();
  };
}

/** Undefined for a direct connection. @throws {EntsError} usage: a proxy variable that is not an http(s) address. */
function findProxy(baseUrl: URL, env: Context["env"]): URL | undefined {
  const httpProxy = readProxy(env, "http_proxy");
  const httpsProxy = readProxy(env, "https_proxy") ?? httpProxy;
  if (isExempt(baseUrl, env["no_proxy"] ?? env["NO_PROXY"] ?? "")) return undefined;
  if (baseUrl.protocol === "https:") return httpsProxy;
  // A token is never sent unencrypted to another machine, not even to a proxy.
  return httpProxy && isLoopback(httpProxy) ? httpProxy : undefined;
}

/** True if a service is asked directly although `ALL_PROXY` is set, which only other programs use. */
export function ignoresAllProxy(baseUrl: URL, env: Context["env"]): boolean {
  const isSet = (name: string) => Boolean(env[name] ?? env[name.toUpperCase()]);
  const isExempted = isLoopback(baseUrl) || isExempt(baseUrl, env["no_proxy"] ?? env["NO_PROXY"] ?? "");
  return isSet("all_proxy") && !isSet("https_proxy") && !isSet("http_proxy") && !isExempted;
}

function readProxy(env: Context["env"], name: string): URL | undefined {
  const variable = env[name] === undefined ? name.toUpperCase() : name;
  const text = env[variable] ?? "";
  if (text === "") return undefined;
  // A backslash would end the host: `DOMAIN\\user` is the name of a user.
  const escaped = text.replaceAll("\\", "%5C");
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(escaped) ? escaped : `http://${escaped}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (isHttp && attempt(() => decodeURIComponent(url.username + url.password)) !== undefined) return url;
  // The value is not shown: it may contain a password.
  throw usageError(
    `${variable} is not the address of an http(s) proxy`,
    "use http://host:port, or http://user:password@host:port with %40 for @ and so on",
  );
}

/**
 * True if `NO_PROXY` matches: a list of host names, which include their subdomains and may have a port, of ranges of
 * addresses such as `10.0.0.0/8`, or `*`. Ranges match only addresses: names are not looked up.
 */
function isExempt({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  return noProxy.split(/[\s,]+/).some((entry) => {
    if (entry.includes("/")) return isInRange(hostname.replace(/^\[(.*)\]$/, "$1"), entry);
    const [, host = entry, exemptPort = ownPort] = /^([^:]+|\[.+\]):(\d+)$/.exec(entry) ?? [];
    const domain = host.replace(/^\*?\./, "").toLowerCase();
    if (domain === "" || exemptPort !== ownPort) return false;
    return domain === "*" || hostname === domain || hostname === `[${domain}]` || hostname.endsWith(`.${domain}`);
  });
}

/** `range`: CIDR notation. False if it is not, or if `host` is not an address. */
function isInRange(host: string, range: string): boolean {
  const [network = "", bits = ""] = range.split("/");
  const kindOf = (address: string) => (isIP(address) === 4 ? "ipv4" : "ipv6");
  if (isIP(host) === 0 || isIP(network) !== isIP(host) || !/^\d{1,3}$/.test(bits)) return false;
  const list = new BlockList();
  return (
    attempt(() => list.addSubnet(network, Number(bits), kindOf(network)) ?? true) === true &&
    list.check(host, kindOf(host))
  );
}

/** The whole head of a 1xx response. 101 is none of them: it changes the protocol, which ents never asks for. */
const INFORMATIONAL = /^HTTP\/1\.\d 1(?!01)\d\d.*\r?\n(?:.+\r?\n)*\r?\n/;
/**
 * Bytes of the head of a response; undici's own 16 KB are too few for some proxies. A longer one is left to undici,
 * which refuses it.
 */
const MAX_HEAD = 64 * 1024;

/** Changes what a socket reads, from each request to the first byte of its final response. */
export function passOverInformational(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...request: unknown[]) => boolean;
  let isWaiting = false;
  let held: Buffer = Buffer.alloc(0);
  socket.write = (...request: unknown[]): boolean => {
    isWaiting = true;
    return write(...request);
  };
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size);
    if (!isWaiting || chunk === null) return chunk;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    while (mayBeInformational(held)) {
      const [head] = INFORMATIONAL.exec(held.toString("latin1", 0, MAX_HEAD)) ?? [];
      if (head === undefined) return null;
      held = held.subarray(head.length);
    }
    isWaiting = false;
    const response = held;
    held = Buffer.alloc(0);
    return response;
  };
}

const START = "HTTP/1.1 1";

function mayBeInformational(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, START.length + 2);
  return bytes.length < START.length
    ? START.startsWith(start)
    : bytes.length < MAX_HEAD && /^HTTP\/1\.\d 1(?!01)/.test(start);
}
