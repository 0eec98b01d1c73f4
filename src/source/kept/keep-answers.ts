import { EntsError } from "../../base/errors.ts";
import { createBodyMask } from "../../base/shown-text.ts";
import type { PlannedRequest } from "../../plan/plan.ts";
import { type Answer, isKnown } from "../../series/answer.ts";
import { DEFAULTS, readResponse } from "../read-response.ts";
import { type Response, unpack } from "../response.ts";
import type { KeptIn, Reading, Received, Source } from "../source.ts";

/** Answers by request, on disk: a checkpoint, the cache. */
export interface AnswerStore {
  /** A usable answer. */
  find(request: PlannedRequest): Promise<Response | undefined>;
  /** @throws {EntsError} output: it cannot be written, and the export is not to go on without. */
  keep(request: PlannedRequest, response: Response): Promise<void>;
  /** Removes a broken answer. */
  drop(request: PlannedRequest): Promise<void>;
}

export interface KeepOptions {
  readonly store: AnswerStore;
  readonly as: KeptIn;
  /** Maximum bytes of an unpacked body. */
  readonly maxBody: number;
  /** None of them is kept. */
  readonly secrets: Iterable<string>;
}

/** Answers from the store first, and stores in it what the source answers. */
export function keepAnswers(source: Source, { store, as, maxBody, secrets }: KeepOptions): Source {
  const mask = createBodyMask(secrets);
  return {
    send: async (request, signal) => {
      const kept = await store.find(request);
      if (!kept) return sendAndKeep(request, signal);
      return { response: kept, kept: as, read: () => readKept(kept, request, async () => (await sendAndKeep(request, signal)).read()) };
    },
  };

  async function sendAndKeep(request: PlannedRequest, signal: AbortSignal): Promise<Received> {
    const received = await source.send(request, signal);
    const { response } = received;
    // An answer from another store is not copied: it stays there, with the time when it was received.
    if (!received.kept) await keep(request, response);
    return {
      ...received,
      read: async () => {
        const drop = () => store.drop(request).catch(() => {});
        const reading = await received.read().catch(async (error: unknown) => {
          await drop();
          throw error;
        });
        if (!isUsable(reading.answer)) await drop();
        // The first response was broken and was requested again.
        else if (reading.response !== response) await keep(request, reading.response);
        return reading;
      },
    };
  }

  /** As it came; what cannot be unpacked may hide a secret. */
  async function keep(request: PlannedRequest, response: Response): Promise<void> {
    const body = await unpack(response, maxBody).catch(() => undefined);
    if (!body) return;
    const masked = mask(body.bytes);
    const isClean = masked === body.bytes;
    body.free();
    await store.keep(request, isClean ? response : { ...response, gzip: false, bytes: masked });
  }

  /** Requests a kept answer again if it cannot be read or is incomplete, on which every later run would fail. */
  async function readKept(response: Response, { endsBy }: PlannedRequest, resend: () => Promise<Reading>): Promise<Reading> {
    const body = await unpack(response, maxBody).catch((error: unknown) => {
      // Too large, as it would be the next time.
      if (error instanceof EntsError) throw error;
      return undefined;
    });
    const answer = body && (await readResponse(response, { ...DEFAULTS, isOpen: endsBy === undefined }, body).catch(() => undefined));
    return answer && isUsable(answer) ? { answer, response } : resend();
  }

  function isUsable(answer: Answer): boolean {
    return isKnown(answer) && !answer.incomplete;
  }
}
