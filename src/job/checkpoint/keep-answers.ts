import { isKnown } from "../../series/answer.ts";
import type { PlannedRequest } from "../../plan/plan.ts";
import { readResponse } from "../../source/read-response.ts";
import type { Response } from "../../source/response.ts";
import type { Reading, Received, Source } from "../../source/source.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** Answers from the checkpoint first, and stores in it what the source answers. */
export function keepAnswers(source: Source, checkpoint: Checkpoint): Source {
  return {
    send: async (request, signal) => {
      const kept = await checkpoint.find(request);
      if (!kept) return sendAndKeep(request, signal);
      return { response: kept, kept: true, read: () => readKept(kept, async () => (await sendAndKeep(request, signal)).read()) };
    },
  };

  async function sendAndKeep(request: PlannedRequest, signal: AbortSignal): Promise<Received> {
    const received = await source.send(request, signal);
    const { response } = received;
    await checkpoint.keep(request, response);
    return {
      response,
      kept: false,
      read: async () => {
        const reading = await received.read().catch(async (error: unknown) => {
          await checkpoint.drop(request).catch(() => {});
          throw error;
        });
        // The first response was broken and was requested again.
        if (reading.response !== response) await checkpoint.keep(request, reading.response);
        return reading;
      },
    };
  }
}

/** Requests a kept answer again if it cannot be read: else every later run would fail on it. */
async function readKept(response: Response, resend: () => Promise<Reading>): Promise<Reading> {
  const answer = await readResponse(response).catch(() => undefined);
  return answer && isKnown(answer) ? { answer, response } : resend();
}
