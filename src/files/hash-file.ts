import { createHash, type Hash } from "node:crypto";
import { open } from "node:fs/promises";

export interface HashedFile {
  readonly hash: string;
  /** The unfinished hash of its first bytes, for a file that goes on in another way. */
  readonly startOf: (bytes: number) => Promise<Hash>;
}

/** Reads the whole file once. */
export async function hashFile(path: string): Promise<HashedFile> {
  const hash = startHash();
  const marks = [{ bytes: 0, hash: startHash() }];
  let bytes = 0;
  for await (const part of readParts(path, 0)) {
    hash.update(part);
    bytes += part.length;
    if (bytes >= (marks.at(-1) as Mark).bytes + MARK_BYTES) marks.push({ bytes, hash: hash.copy() });
  }
  return {
    hash: formatHash(hash),
    startOf: async (end) => {
      const mark = marks.findLast((one) => one.bytes <= end) as Mark;
      const start = mark.hash.copy();
      if (end > mark.bytes) for await (const part of readParts(path, mark.bytes, end)) start.update(part);
      return start;
    },
  };
}

export function startHash(): Hash {
  return createHash("sha256");
}

/** `sha256:` and hexadecimal digits. */
export function formatHash(hash: Hash): string {
  return `sha256:${hash.digest("hex")}`;
}

interface Mark {
  readonly bytes: number;
  readonly hash: Hash;
}

const PART_BYTES = 1024 * 1024;
const MARK_BYTES = 16 * PART_BYTES;

/** Each part is in the memory of the one before. */
async function* readParts(path: string, start: number, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(PART_BYTES);
    for (let at = start; at < end; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(PART_BYTES, end - at), at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
