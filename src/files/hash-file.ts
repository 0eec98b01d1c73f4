import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** The SHA-256 of a file, in the form of `formatHash`. @throws the system's error; the reason of the signal. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 512 * 1024 }), hash, { ...(signal ? { signal } : {}), end: false });
  return formatHash(hash);
}

/** `sha256:` and hexadecimal digits. */
export function formatHash(hash: Hash): string {
  return `sha256:${hash.digest("hex")}`;
}
