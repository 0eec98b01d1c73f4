import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type SandboxAnswer, answerJson, identify, sendAnswer, TOKEN } from "./http/respond.ts";
import { KeyUse, type SandboxPlan } from "./http/limits.ts";
import { SandboxRefusal, refuse } from "./refusal.ts";
import { type SandboxRequest, findRoute, queryOf, type ServerState } from "./http/routes.ts";
import { DayStore } from "./model/days.ts";

export type { SandboxPlan } from "./http/limits.ts";

export interface SandboxOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** The limits to enforce; default `none`. */
  readonly plan?: SandboxPlan;
  /** The time at which the data end, in milliseconds since 1970 UTC. */
  readonly now?: () => number;
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  readonly baseUrl: string;
  readonly token: string;
  close(): Promise<void>;
}

/** Serves v4.md with synthetic data on the loopback interface. Rejects with the system's error (`EADDRINUSE`) if it cannot listen. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = options.now ?? Date.now;
  const state = { limits: new KeyUse(options.plan ?? "none", now), days: new DayStore(), now };
  const server = createServer((request, response) => void serve(request, response, state));
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, token: TOKEN, close: () => closeServer(server) };
}

async function serve(request: IncomingMessage, response: ServerResponse, state: ServerState): Promise<void> {
  const disconnect = new AbortController();
  response.on("close", () => disconnect.abort());
  const answer = findAnswer(request, state, disconnect.signal);
  try {
    await sendAnswer(request, response, answer);
  } catch {
    response.destroy();
  }
}

function findAnswer(request: IncomingMessage, state: ServerState, signal: AbortSignal): SandboxAnswer {
  const call: SandboxRequest = { method: request.method ?? "", target: request.url ?? "", signal };
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

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
