import { promisify } from "node:util";
import { gunzip } from "node:zlib";

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

/** Larger chunks unpack faster; the last four bytes of a gzip body are its unpacked length (RFC 1952). */
const MIN_CHUNK = 64 * 1024;
const MAX_CHUNK = 64 * 1024 * 1024;

/** The unpacked body. @throws {Error} `Z_BUF_ERROR`, `Z_DATA_ERROR`: it is cut short or damaged. */
export async function unpack({ bytes, gzip }: Response): Promise<Buffer> {
  if (!gzip) return bytes;
  const length = bytes.length >= 18 ? bytes.readUInt32LE(bytes.length - 4) : 0;
  // One byte more: the end is then found in the same chunk.
  return promisify(gunzip)(bytes, { chunkSize: Math.min(Math.max(length + 1, MIN_CHUNK), MAX_CHUNK) });
}
