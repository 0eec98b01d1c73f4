import { setMaxListeners } from "node:events";
import { type buildConnector, type Dispatcher, Pool } from "undici";
import type { Context } from "../base/context.ts";
import type { Route } from "./failure.ts";
import { describeProxy, findProxy } from "./proxy.ts";
import type { ConnectOptions } from "./tunnel.ts";

/** The connections to one service. */
export interface Connections extends Route {
  readonly dispatcher: Dispatcher;
  /** Ends all connections at once, also those that are being made. */
  close(): Promise<void>;
}

const ADVICE = "check the network and the base address, or try again later";

/** @throws {EntsError} usage: a proxy variable that is not an http(s) address. */
export function openConnections(
  baseUrl: URL,
  { env, dispatcher: injected }: Pick<Context, "env" | "dispatcher">,
  timeoutMs: number,
): Connections {
  if (injected) return { dispatcher: injected, route: baseUrl.origin, advice: ADVICE, close: () => Promise.resolve() };
  const proxy = findProxy(baseUrl, env);
  const closed = new AbortController();
  const { signal } = closed;
  // Every connection listens.
  setMaxListeners(0, signal);
  const dispatcher = new Pool(baseUrl.origin, {
    connect: proxy ? connectThrough(proxy, { timeoutMs, signal }) : { timeout: timeoutMs, signal },
  });
  return {
    dispatcher,
    route: proxy ? `${baseUrl.origin} through ${describeProxy(proxy)}` : baseUrl.origin,
    advice: proxy ? "check the proxy (HTTPS_PROXY, HTTP_PROXY) and the base address, or try again later" : ADVICE,
    close: async () => {
      await dispatcher.destroy();
      closed.abort();
    },
  };
}

/** Loads the tunnel where there is a proxy: its node:http and node:https take 3 ms. */
function connectThrough(proxy: URL, connect: ConnectOptions): buildConnector.connector {
  const open = async (...[options, callback]: Parameters<buildConnector.connector>) => {
    const { createTunnelConnector } = await import("./tunnel.ts");
    createTunnelConnector(proxy, connect)(options, callback);
  };
  return (options, callback) => void open(options, callback);
}
