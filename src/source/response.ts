import { promisify } from "node:util";
import { constants, createGunzip, gunzip, gunzipSync } from "node:zlib";
import { attempt, codeOf, messageOf } from "../base/errors.ts";
import { blankBody, isBlank } from "../base/json-bytes.ts";
import { Body } from "../series/body.ts";
import { Failure, incompleteResponse, tooLarge, unreadable } from "./failure.ts";

/** An HTTP response, with its body still compressed to save memory. */
export interface Response {
  readonly status: number;
  /** `Retry-After`, or when a rate limit is reset. */
  readonly retryAfter: string | undefined;
  readonly gzip: boolean;
  readonly bytes: Buffer;
  /** Milliseconds since 1970 UTC. */
  readonly receivedAt: number;
  /** The same by the service's clock, if the service has just sent it and says so. */
  readonly serviceTime?: number | undefined;
  /** Requests left, if the service says so. */
  readonly left?: string | undefined;
}

export function isSuccess({ status }: Pick<Response, "status">): boolean {
  return status >= 200 && status < 300;
}

/** Maximum size of the body of an error response, in bytes; it only contains a message. */
export const MAX_REFUSAL = 1024 * 1024;

/**
 * Bodies of up to this many bytes are decompressed synchronously: passing one to another thread takes a millisecond
 * more.
 */
const SMALL = 64 * 1024;
/** Large bodies are stored in multiples of so many bytes, so that a new one fits where another was freed. */
const BLOCK = 4 * 1024 * 1024;
/** Memory of a large body, over its length: with room for the columns of its points. */
const ROOM = 1.25;
/** The maximum compression ratio of gzip; a stated length beyond it is false. */
const MAX_RATIO = 1032;

/**
 * Decompresses a body; the result then owns its memory.
 * @throws {Failure} it is truncated or damaged; {EntsError} refused: it is larger than `maxBody`.
 */
export async function unpack({ bytes, gzip }: Response, maxBody: number): Promise<Body> {
  if (!gzip) {
    if (bytes.length > maxBody) throw tooLarge(maxBody);
    return new Body(bytes);
  }
  if (bytes.length > LOOK && isBlankInside(bytes)) throw unreadable(blankBody());
  try {
    // The last four bytes are the decompressed length (RFC 1952), unless the body is truncated, has several members, or
    // is forged.
    const length = bytes.length >= 18 ? Math.min(bytes.readUInt32LE(bytes.length - 4), bytes.length * MAX_RATIO) : 0;
    const whole = length <= maxBody ? await inflate(bytes, length) : undefined;
    if (whole) return new Body(whole, true);
    // Counted first, so that a body that is too large takes no memory.
    const count = await countUnpacked(bytes, maxBody);
    if (count <= maxBody) return new Body((await inflate(bytes, count)) as Buffer, true);
  } catch (cause) {
    if (codeOf(cause) === "Z_BUF_ERROR") throw incompleteResponse(cause);
    throw new Failure(`the response is damaged (${messageOf(cause)})`, { cause });
  }
  throw tooLarge(maxBody);
}

/** Frees a response that nobody reads again. A body that came uncompressed is that of its points. */
export function freeResponse({ bytes, gzip }: Response): void {
  if (gzip) new Body(bytes, true).free();
}

/** A megabyte of white space takes less than this, compressed. */
const LOOK = 2048;

/**
 * True if a compressed body begins with a megabyte of white space. Looks at its start alone, as the rest may be huge.
 */
function isBlankInside(bytes: Buffer): boolean {
  const start = attempt(() => gunzipSync(bytes.subarray(0, LOOK), { finishFlush: constants.Z_SYNC_FLUSH }));
  return start !== undefined && isBlank(start);
}

/** Undefined if the result is longer than `length`. */
async function inflate(bytes: Buffer, length: number): Promise<Buffer | undefined> {
  try {
    // A single chunk is faster and needs no copy; with one spare byte, zlib also finds the end in it.
    const chunkSize = length < BLOCK / 4 ? Math.max(length + 1, SMALL) : Math.ceil((length * ROOM) / BLOCK) * BLOCK;
    const options = { chunkSize, maxOutputLength: Math.max(length, 1) };
    return Math.max(bytes.length, length) <= SMALL
      ? gunzipSync(bytes, options)
      : await promisify(gunzip)(bytes, options);
  } catch (error) {
    if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw error;
  }
}

/** The decompressed length, or a number above `limit` if it is longer. */
async function countUnpacked(bytes: Buffer, limit: number): Promise<number> {
  const unpacked = createGunzip();
  unpacked.end(bytes);
  let count = 0;
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    count += chunk.length;
    if (count > limit) break;
  }
  return count;
}
