/** Where answers come from: a service, one with a checkpoint before it, or in a test a script. */
import type { PlannedRequest } from "../plan/plan.ts";
import type { Answer } from "../series/answer.ts";
import type { Response } from "./response.ts";

export interface Source {
  /** Resolves when the answer has arrived. @throws {EntsError} after the retries: authentication, refused, unavailable. */
  send(request: PlannedRequest, signal: AbortSignal): Promise<Received>;
}

/** An answer that has arrived and is not read yet. */
export interface Received {
  readonly response: Response;
  /** Whether it was kept from before, and not sent for. */
  readonly kept: boolean;
  /** Reads it; one that turns out broken is asked for again. @throws {EntsError} as `send`. */
  read(): Promise<Reading>;
}

export interface Reading {
  readonly answer: Answer;
  /** What was read: the response that had arrived, or the one that came when it was asked for again. */
  readonly response: Response;
}
