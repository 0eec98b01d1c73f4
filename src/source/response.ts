import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { codeOf, messageOf } from "../base/errors.ts";
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

/** Larger chunks unpack faster; the last four bytes of a gzip body are its unpacked length (RFC 1952). */
const MIN_CHUNK = 64 * 1024;
const MAX_CHUNK = 64 * 1024 * 1024;

/** The unpacked body. @throws {Failure} it is cut short or damaged; {EntsError} refused: it is larger than `maxBody`. */
export async function unpack({ bytes, gzip }: Response, maxBody: number): Promise<Buffer> {
  if (!gzip) return bytes;
  const length = bytes.length >= 18 ? bytes.readUInt32LE(bytes.length - 4) : 0;
  // Refused before it takes any memory.
  if (length > maxBody) throw tooLarge(maxBody);
  try {
    // One byte more: the end is then found in the same chunk.
    return await promisify(gunzip)(bytes, { chunkSize: Math.min(Math.max(length + 1, MIN_CHUNK), MAX_CHUNK), maxOutputLength: maxBody });
  } catch (cause) {
    if (codeOf(cause) === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBody);
    throw codeOf(cause) === "Z_BUF_ERROR"
      ? incompleteAnswer(cause)
      : new Failure(`the service's answer is damaged (${messageOf(cause)})`, { cause });
  }
}
