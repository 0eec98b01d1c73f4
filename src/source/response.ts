import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** What came for a request, as it came: packed, it is small. */
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

/** Larger chunks unpack faster; a body says in its last four bytes how long it will be. */
const LEAST_CHUNK = 64 * 1024;
const MOST_CHUNK = 64 * 1024 * 1024;

/** The body's bytes. @throws {Error} `Z_BUF_ERROR`, `Z_DATA_ERROR`: it is cut short or damaged. */
export async function unpack({ bytes, gzip }: Response): Promise<Buffer> {
  if (!gzip) return bytes;
  const length = bytes.length >= 18 ? bytes.readUInt32LE(bytes.length - 4) : 0;
  // One byte more, so that the end is seen in the same chunk.
  return promisify(gunzip)(bytes, { chunkSize: Math.min(Math.max(length + 1, LEAST_CHUNK), MOST_CHUNK) });
}
