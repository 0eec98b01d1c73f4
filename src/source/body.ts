import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** The body of an answer, as it was sent. */
export interface Body {
  readonly bytes: Buffer;
  readonly gzip: boolean;
}

/** Larger chunks unpack faster; a body says in its last four bytes how long it will be. */
const LEAST_CHUNK = 64 * 1024;
const MOST_CHUNK = 64 * 1024 * 1024;

/** The bytes that a body stands for. @throws {Error} `Z_BUF_ERROR`, `Z_DATA_ERROR`: it is cut short or damaged. */
export async function unpackBody({ bytes, gzip }: Body): Promise<Buffer> {
  if (!gzip) return bytes;
  const length = bytes.length >= 18 ? bytes.readUInt32LE(bytes.length - 4) : 0;
  // One byte more, so that the end is seen in the same chunk.
  return promisify(gunzip)(bytes, { chunkSize: Math.min(Math.max(length + 1, LEAST_CHUNK), MOST_CHUNK) });
}

/** A text as a body. */
export function packText(text: string): Body {
  return { bytes: Buffer.from(text), gzip: false };
}
