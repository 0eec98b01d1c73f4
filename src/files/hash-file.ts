import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";

export interface HashedFile {
  readonly hash: string;
  /** The unfinished hash of its first bytes, for a file that goes on in another way. */
  readonly startOf: (bytes: number) => Promise<Hash>;
}

/**
 * Reads the whole file once. `take`: called with each part, whose memory may be used again when it resolves.
 * @throws the reason of the signal; the errors of `take`.
 */
export async function hashFile(path: string, signal: AbortSignal, take?: (part: Uint8Array) => Promise<void>): Promise<HashedFile> {
  const hash = startHash();
  const marks = [{ bytes: 0, hash: startHash() }];
  let bytes = 0;
  for await (const part of readParts(path, 0)) {
    signal.throwIfAborted();
    const taken = take?.(part);
    hash.update(part);
    await taken;
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

/** As much as Node hands to the system at once of what a file is written with: so all of a part is written while it is hashed. */
const PART_BYTES = 512 * 1024;
const MARK_BYTES = 32 * PART_BYTES;

/** The next part is read while one is used, in the memory of the one before. */
async function* readParts(path: string, start: number, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  const file = await open(path);
  const buffers = [Buffer.allocUnsafe(PART_BYTES), Buffer.allocUnsafe(PART_BYTES)] as const;
  const readAt = (at: number) => readPart(file, buffers[((at - start) / PART_BYTES) % 2] as Buffer, { at, end });
  try {
    let next = readAt(start);
    for (let at = start; ; at += PART_BYTES) {
      const part = await next;
      if (part.length === 0) return;
      next = readAt(at + PART_BYTES);
      next.catch(() => {});
      yield part;
    }
  } finally {
    await file.close();
  }
}

/** A whole buffer, or what there is until the end. */
async function readPart(file: FileHandle, buffer: Buffer, { at, end }: { readonly at: number; readonly end: number }): Promise<Buffer> {
  const wanted = Math.max(0, Math.min(buffer.length, end - at));
  let length = 0;
  while (length < wanted) {
    const { bytesRead } = await file.read(buffer, length, wanted - length, at + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
