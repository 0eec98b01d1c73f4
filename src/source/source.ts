/** Where answers come from: a service, the cache or a checkpoint in front of it, or a test. */
import type { PlannedRequest } from "../plan/plan.ts";
import type { Answer } from "../series/answer.ts";
import type { Response } from "./response.ts";

export interface Source {
  /** Resolves when the answer has arrived. @throws {EntsError} after the retries: authentication, refused, unavailable. */
  send(request: PlannedRequest, signal: AbortSignal): Promise<Received>;
}

/** Where an answer was kept that is not requested again. */
export type KeptIn = "checkpoint" | "cache";

/** An answer that was received and is not decoded yet. */
export interface Received {
  readonly response: Response;
  /** False where the service has just answered. */
  readonly kept: false | KeptIn;
  /** Decodes it; a broken one is requested again. @throws {EntsError} as `send`. */
  read(): Promise<Reading>;
}

export interface Reading {
  readonly answer: Answer;
  /** The response that was decoded: the first, or that of a new request. */
  readonly response: Response;
}

/** The source, with each answer passed on as `map` returns it. */
export function mapReadings(
  source: Source,
  map: (reading: Reading, from: { readonly request: PlannedRequest; readonly received: Received }) => Reading,
): Source {
  return {
    send: async (request, signal) => {
      const received = await source.send(request, signal);
      return { ...received, read: async () => map(await received.read(), { request, received }) };
    },
  };
}
