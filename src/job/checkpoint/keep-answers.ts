import { isKnown } from "../../series/answer.ts";
import type { PlannedRequest } from "../../plan/plan.ts";
import { readResponse } from "../../source/read-response.ts";
import type { Response } from "../../source/response.ts";
import type { Reading, Received, Source } from "../../source/source.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** A source that asks the checkpoint first, and keeps in it what arrives from the source behind. */
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
          await checkpoint.drop(request);
          throw error;
        });
        // It was broken, and asked for again.
        if (reading.response !== response) await checkpoint.keep(request, reading.response);
        return reading;
      },
    };
  }
}

/** A kept answer that nobody can read is asked for again: it would end every later run as it ended the first. */
async function readKept(response: Response, sendAnew: () => Promise<Reading>): Promise<Reading> {
  const answer = await readResponse(response).catch(() => undefined);
  return answer && isKnown(answer) ? { answer, response } : sendAnew();
}
