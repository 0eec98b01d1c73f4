// The parts of undici that the command uses: its index also loads fetch, WebSocket, caches and mocks.
import connect from "undici/lib/api/api-connect.js";
import requestApi from "undici/lib/api/api-request.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";

Object.assign(Dispatcher.prototype, { connect, request: requestApi });

/** As undici's own `request`, of a dispatcher that is given. */
export function request(url, { dispatcher, ...options }) {
  const { origin, pathname, search } = new URL(url);
  return dispatcher.request({ ...options, origin, path: pathname + search, method: "GET" });
}

export { EnvHttpProxyAgent };
