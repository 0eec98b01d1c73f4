/** A source of responses: a service, the cache or a checkpoint in front of it, or a test. */
import type { PlannedRequest } from "../plan/plan.ts";
import type { DecodedResponse } from "../series/decoded-response.ts";
import type { Response } from "./response.ts";

export interface Source {
  /**
   * Resolves when the response has arrived. @throws {EntsError} after all retries: authentication, refused,
   * unavailable.
   */
  send(request: PlannedRequest, signal: AbortSignal): Promise<Received>;
}

export type StoredIn = "checkpoint" | "cache";

/** A response that is not decoded yet. */
export interface Received {
  readonly response: Response;
  /** The store that it was read from; false if the service just sent it. */
  readonly storedIn: false | StoredIn;
  /** Decodes the response; requests it again if it is broken. @throws {EntsError} as `send`. */
  read(): Promise<ReadResponse>;
  /** Frees the response, once it is decoded; a store that holds it in memory has a copy. */
  release?(): void;
}

export interface ReadResponse {
  readonly decoded: DecodedResponse;
  /** The response that was decoded: the first, or that of a new request. */
  readonly response: Response;
}

/** Wraps a source, and applies `map` to each reading. */
export function mapReadings(
  source: Source,
  map: (reading: ReadResponse, from: { readonly request: PlannedRequest; readonly received: Received }) => ReadResponse,
): Source {
  return {
    send: async (request, signal) => {
      const received = await source.send(request, signal);
      return { ...received, read: async () => map(await received.read(), { request, received }) };
    },
  };
}
