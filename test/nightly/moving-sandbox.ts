/** The sandbox as a service whose date the test sets, with the limits of a free key except the rate, which works in real time. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { KeyUse, type SandboxPlan } from "../../src/sandbox/http/limits.ts";
import { type SandboxAnswer, answerJson, sendAnswer } from "../../src/sandbox/http/respond.ts";
import { findRoute, queryOf } from "../../src/sandbox/http/routes.ts";
import { DayStore } from "../../src/sandbox/model/system.ts";
import { SandboxRefusal } from "../../src/sandbox/refusal.ts";
import { atEndOfFile } from "../support/cleanup.ts";

export interface MovingSandbox {
  readonly url: string;
  /** Milliseconds since 1970 UTC. */
  now: number;
  /** Requests that were answered with data, and so cost quota. */
  readonly answered: number;
  /** Spends the day's quota except this many requests. */
  leaveQuota(requests: number): void;
}

export async function startMovingSandbox(now: number, plan: SandboxPlan): Promise<MovingSandbox> {
  const clock = () => sandbox.now;
  const state = { limits: new KeyUse(plan, clock), days: new DayStore(), now: clock };
  let answered = 0;
  const answer = ({ method = "", url: target = "" }: IncomingMessage, { signal }: AbortController): SandboxAnswer => {
    const call = { method, target, signal };
    try {
      const given = findRoute(call, state).answer({ query: queryOf(call), caller: "key", signal });
      answered++;
      return given;
    } catch (error) {
      if (!(error instanceof SandboxRefusal)) throw error;
      return answerJson(error.status, error.body, error.headers);
    }
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    sendAnswer(request, response, answer(request, gone)).catch(() => response.destroy());
  };
  const server = createServer(serve).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEndOfFile(() => {
    server.close();
    server.closeAllConnections();
  });
  const sandbox: MovingSandbox = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    now,
    get answered() {
      return answered;
    },
    leaveQuota: (requests) => {
      while ((state.limits.remaining ?? 0) > requests) state.limits.spendQuota();
    },
  };
  return sandbox;
}
