import { setMaxListeners } from "node:events";
import { buildConnector, type Dispatcher, Pool } from "undici";
import type { Context } from "../base/context.ts";
import type { ServiceRoute } from "./failure.ts";
import { describeProxy, findProxy } from "./proxy.ts";
import type { TunnelOptions } from "./tunnel.ts";

/** The connections to one service. */
export interface Connections extends ServiceRoute {
  readonly dispatcher: Dispatcher;
  /**
   * Ends all connections at once, also those that are being made. `leavesIdle`: or none, where all are idle: they do not keep
   * the process alive, and end with it.
   */
  close(leavesIdle?: boolean): Promise<void>;
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
  const connect = proxy ? connectThrough(proxy, { timeoutMs, signal }) : buildConnector({ timeout: timeoutMs, signal });
  // Counts connections that are being made: those of aborted requests, too, go on being made.
  let making = 0;
  const dispatcher = new Pool(baseUrl.origin, {
    connect: (options, callback) => {
      making++;
      connect(options, (...result) => {
        making--;
        callback(...result);
      });
    },
  });
  return {
    dispatcher,
    route: proxy ? `${baseUrl.origin} through ${describeProxy(proxy)}` : baseUrl.origin,
    advice: proxy ? "check the proxy (HTTPS_PROXY, HTTP_PROXY) and the base address, or try again later" : ADVICE,
    close: async (leavesIdle = false) => {
      if (leavesIdle && making === 0) return;
      await dispatcher.destroy();
      closed.abort();
    },
  };
}

/** Loads the tunnel where there is a proxy: its node:http and node:https take 3 ms. */
function connectThrough(proxy: URL, connect: TunnelOptions): buildConnector.connector {
  const open = async (...[options, callback]: Parameters<buildConnector.connector>) => {
    let connector: buildConnector.connector;
    try {
      const { createTunnelConnector } = await import("./tunnel.ts");
      connector = createTunnelConnector(proxy, connect);
    } catch (error) {
      return callback(error as Error, null);
    }
    connector(options, callback);
  };
  return (options, callback) => void open(options, callback);
}
