import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

/** True if a file has this size and hash; false if it cannot be read. `hash`: as by `formatHash`. */
export async function hasContent(
  path: string,
  { bytes, hash }: { readonly bytes: number; readonly hash: string },
): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  return status?.size === bytes && (await hashFile(path).catch(() => undefined)) === hash;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 512 * 1024 }), hash, { end: false });
  return formatHash(hash);
}

/** `sha256:` and hexadecimal digits. */
export function formatHash(hash: Hash): string {
  return `sha256:${hash.digest("hex")}`;
}
