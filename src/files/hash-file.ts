import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** `sha256:` and the hash of the file's bytes in hexadecimal digits. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path, { highWaterMark: PART_BYTES })) hash.update(part as Buffer);
  return `sha256:${hash.digest("hex")}`;
}

const PART_BYTES = 1024 * 1024;
