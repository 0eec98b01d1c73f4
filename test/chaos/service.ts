/** The made-up network behind a service whose answers and sockets a test can break. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { answerQuery, HOUR, JANUARY, readMoment, WORLD } from "../faults/world.ts";
import { atEndOfFile } from "../support/cleanup.ts";

export interface Exchange {
  /** By the start of its window; 0 is the first one of the export. */
  readonly piece: number;
  /** Counts the requests for this path; the first is 1. */
  readonly attempt: number;
  readonly response: ServerResponse;
  /** The correct answer. */
  readonly body: string;
}

/** Answers in its own way, or returns undefined for the correct answer. */
export type Trouble = (exchange: Exchange) => "answered" | undefined;

export interface ChaosService {
  readonly url: string;
  trouble: Trouble | undefined;
  close(): void;
}

/** `delay`: milliseconds before a correct answer. */
export async function startChaosService(delay: () => number): Promise<ChaosService> {
  const attempts = new Map<string, number>();
  const server = createServer((request, response) => void answer(request, response));
  server.on("clientError", (_, socket) => socket.destroy());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const service: ChaosService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trouble: undefined,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  atEndOfFile(() => service.close());
  return service;

  async function answer({ url = "" }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => {});
    const attempt = (attempts.get(url) ?? 0) + 1;
    attempts.set(url, attempt);
    const start = readMoment(new URL(url, "http://localhost").searchParams.get("date_start")) ?? JANUARY;
    const body = answerQuery(WORLD, url) ?? "{}";
    await sleep(delay());
    if (service.trouble?.({ piece: Math.floor((start - JANUARY) / HOUR), attempt, response, body })) return;
    response.writeHead(200, { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }).end(body);
  }
}
