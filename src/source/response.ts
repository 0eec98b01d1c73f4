import { promisify } from "node:util";
import { createGunzip, gunzip, gunzipSync } from "node:zlib";
import { codeOf, messageOf } from "../base/errors.ts";
import { Body } from "../series/body.ts";
import { Failure, incompleteAnswer, tooLarge } from "./failure.ts";

/** An HTTP response as received: compressed, so that it takes little memory. */
export interface Response {
  readonly status: number;
  /** `Retry-After`, as sent. */
  readonly retryAfter: string | undefined;
  readonly gzip: boolean;
  readonly bytes: Buffer;
  /** Milliseconds since 1970 UTC. */
  readonly receivedAt: number;
}

export function isSuccess({ status }: Pick<Response, "status">): boolean {
  return status >= 200 && status < 300;
}

/** Maximum bytes of a refusal, which holds a message at most. */
export const MAX_REFUSAL = 1024 * 1024;

const MIN_CHUNK = 64 * 1024;
/** Unpacked at once: to hand it to another thread takes a millisecond more. */
const SMALL = MIN_CHUNK;
/** Gzip packs no better, so that a length beyond it is untrue. */
const MAX_RATIO = 1032;

/**
 * The unpacked body; one that was compressed has memory of its own.
 * @throws {Failure} it is cut short or damaged; {EntsError} refused: it is larger than `maxBody`.
 */
export async function unpack({ bytes, gzip }: Response, maxBody: number): Promise<Body> {
  if (!gzip) {
    if (bytes.length > maxBody) throw tooLarge(maxBody);
    return new Body(bytes);
  }
  try {
    const length = readLength(bytes);
    const whole = length <= maxBody ? await inflate(bytes, length) : undefined;
    if (whole) return new Body(whole, true);
    // Counted first: what is too large takes no memory.
    const count = await countUnpacked(bytes, maxBody);
    if (count <= maxBody) return new Body((await inflate(bytes, count)) as Buffer, true);
  } catch (cause) {
    if (codeOf(cause) === "Z_BUF_ERROR") throw incompleteAnswer(cause);
    throw new Failure(`the service's answer is damaged (${messageOf(cause)})`, { cause });
  }
  throw tooLarge(maxBody);
}

/** The last four bytes are the unpacked length (RFC 1952), if the body is whole, of one part, and honest. */
function readLength(bytes: Buffer): number {
  const length = bytes.length >= 18 ? bytes.readUInt32LE(bytes.length - 4) : 0;
  return Math.min(length, bytes.length * MAX_RATIO);
}

/** Undefined if it is longer than `length`. */
async function inflate(bytes: Buffer, length: number): Promise<Buffer | undefined> {
  try {
    // One chunk is faster, and needs no copy; with one byte more the end is found in it, too.
    const options = { chunkSize: Math.max(length + 1, MIN_CHUNK), maxOutputLength: Math.max(length, 1) };
    return Math.max(bytes.length, length) <= SMALL ? gunzipSync(bytes, options) : await promisify(gunzip)(bytes, options);
  } catch (error) {
    if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw error;
  }
}

/** The unpacked length, or a number above `limit`. */
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
