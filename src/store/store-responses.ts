import { EntsError } from "../base/errors.ts";
import { createBodyMask, type MaskBody } from "../base/shown-text.ts";
import type { PlannedRequest } from "../plan/plan.ts";
import { type DecodedResponse, isKnown } from "../series/decoded-response.ts";
import { DEFAULTS, readResponse } from "../source/read-response.ts";
import { type Response, unpack } from "../source/response.ts";
import type { StoredIn, ReadResponse, Received, Source } from "../source/source.ts";

/** Stores responses on disk, by request: a checkpoint or the cache. */
export interface ResponseStore {
  /** The stored response; undefined if none can be used. */
  find(request: PlannedRequest): Promise<Response | undefined>;
  /** @throws {EntsError} output: it cannot be written, and the export must not continue without it. */
  keep(request: PlannedRequest, response: Response): Promise<void>;
  /** Removes a broken response. */
  drop(request: PlannedRequest): Promise<void>;
}

interface KeepOptions {
  readonly store: ResponseStore;
  readonly as: StoredIn;
  /** Maximum size of a decompressed body, in bytes. */
  readonly maxBody: number;
  /** Masked in stored bodies. */
  readonly secrets: Iterable<string>;
}

/** Looks for a response in the store first, and stores the responses of the source. */
export function storeResponses(source: Source, { store, as, maxBody, secrets }: KeepOptions): Source {
  const mask = createBodyMask(secrets);
  return {
    send: async (request, signal) => {
      const stored = await store.find(request);
      if (!stored) return sendAndKeep(request, signal);
      return {
        response: stored,
        storedIn: as,
        read: () => readStored(stored, request, async () => (await sendAndKeep(request, signal)).read()),
      };
    },
  };

  async function sendAndKeep(request: PlannedRequest, signal: AbortSignal): Promise<Received> {
    const received = await source.send(request, signal);
    const { response } = received;
    // A response from another store is not copied: it stays there, with the time it was received.
    if (!received.storedIn) await keep(request, response);
    return {
      ...received,
      read: async () => {
        const drop = () => store.drop(request).catch(() => {});
        const reading = await received.read().catch(async (error: unknown) => {
          await drop();
          throw error;
        });
        if (!isWholeResponse(reading.decoded)) await drop();
        // The first response was broken and was requested again.
        else if (reading.response !== response) await keep(request, reading.response);
        return reading;
      },
    };
  }

  async function keep(request: PlannedRequest, response: Response): Promise<void> {
    const masked = await maskResponse(response, mask, maxBody);
    if (masked) await store.keep(request, masked);
  }

  /** Requests a stored response again if it is unreadable or incomplete; otherwise every later run would fail on it. */
  async function readStored(
    response: Response,
    { endsBy }: PlannedRequest,
    resend: () => Promise<ReadResponse>,
  ): Promise<ReadResponse> {
    const body = await unpack(response, maxBody).catch((error: unknown) => {
      // Too large: another request would not help.
      if (error instanceof EntsError) throw error;
      return undefined;
    });
    const decoded =
      body &&
      (await readResponse(response, { ...DEFAULTS, isOpen: endsBy === undefined }, body).catch(() => undefined));
    return decoded && isWholeResponse(decoded) ? { decoded, response } : resend();
  }
}

function isWholeResponse(decoded: DecodedResponse): boolean {
  return isKnown(decoded) && !decoded.incomplete;
}

/**
 * A response as it may be stored: unchanged if it has no secrets; undefined if it cannot be decompressed, as it may
 * hide some.
 */
export async function maskResponse(response: Response, mask: MaskBody, maxBody: number): Promise<Response | undefined> {
  const body = await unpack(response, maxBody).catch(() => undefined);
  if (!body) return undefined;
  const masked = mask(body.bytes);
  const isClean = masked === body.bytes;
  body.free();
  return isClean ? response : { ...response, gzip: false, bytes: masked };
}

/** Returns stored responses as they are; one that is gone or damaged by now comes from `otherwise`. */
export function readStored(store: Pick<ResponseStore, "find">, otherwise: Source): Source {
  return {
    send: async (request, signal) => {
      const response = await store.find(request);
      if (!response) return otherwise.send(request, signal);
      const isOpen = request.endsBy === undefined;
      return {
        response,
        storedIn: "checkpoint",
        read: async () => ({ response, decoded: await readResponse(response, { ...DEFAULTS, isOpen }) }),
      };
    },
  };
}
