import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { codeOf } from "../base/errors.ts";
import { type SandboxAnswer, answerJson, identify, sendAnswer, TOKEN } from "./http/respond.ts";
import { KeyUse, type SandboxPlan } from "./http/limits.ts";
import { SandboxRefusal, refuse } from "./refusal.ts";
import { findRoute, queryOf, type ServerState } from "./http/routes.ts";
import { DayStore } from "./model/system.ts";

export type { SandboxPlan } from "./http/limits.ts";

export interface SandboxOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** The address to listen on; default: `127.0.0.1`, which only this machine reaches. */
  readonly host?: string;
  /** The limits to enforce; default `none`. */
  readonly plan?: SandboxPlan;
  /** Returns the time at which the data ends, in milliseconds since 1970 UTC; default: now. */
  readonly now?: () => number;
}

export interface Sandbox {
  /** `http://HOST:PORT` */
  readonly baseUrl: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Serves v4 with synthetic data, by default on the loopback interface. Rejects with the system's error (`EADDRINUSE`)
 * if it cannot listen.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? Date.now;
  const state = { limits: new KeyUse(options.plan ?? "none", now), days: new DayStore(), now };
  const server = createServer((request, response) => void serve(request, response, state));
  const { host = "127.0.0.1" } = options;
  server.listen(options.port ?? 0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    token: TOKEN,
    close: () => closeServer(server),
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, state: ServerState): Promise<void> {
  const disconnect = new AbortController();
  response.on("close", () => disconnect.abort());
  response.setHeader("date", new Date(state.now()).toUTCString());
  allowAnyOrigin(response);
  if (request.method === "OPTIONS") return void response.writeHead(204).end();
  const answer = findAnswer(request, state, disconnect.signal);
  try {
    await sendAnswer(request, response, answer);
  } catch (error) {
    response.destroy();
    // Ignores errors of the connection. Others are bugs of the sandbox, and end the process with their stack.
    if (!disconnect.signal.aborted && codeOf(error) === undefined) throw error;
  }
}

/** For pages in a browser: the data are synthetic. A wildcard does not include the header with the token. */
function allowAnyOrigin(response: ServerResponse): void {
  const headers = { origin: "*", methods: "GET, OPTIONS", headers: "authorization, *", "private-network": "true" };
  for (const [name, value] of Object.entries(headers)) response.setHeader(`access-control-allow-${name}`, value);
  response.setHeader("access-control-expose-headers", "*");
}

function findAnswer(request: IncomingMessage, state: ServerState, signal: AbortSignal): SandboxAnswer {
  const call = { method: request.method ?? "", target: request.url ?? "" };
  try {
    const route = findRoute(call, state);
    const caller = identify(request.headers.authorization, route.access);
    if (caller === "key") state.limits.checkRate();
    return route.answer({ query: queryOf(call), caller, signal });
  } catch (error) {
    const refusal = error instanceof SandboxRefusal ? error : refuse(500, `Error executing query: ${String(error)}`);
    return answerJson(refusal.status, refusal.body, refusal.headers);
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
