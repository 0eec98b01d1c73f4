/** A file is read once, in parts, whatever its length; the hash of its start is that of those bytes alone. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatHash, hashFile } from "../../src/files/hash-file.ts";
import { createHome } from "../support/run-ents.ts";

const MIB = 1024 * 1024;
const home = createHome();

function hash(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

test.each([0, 1, MIB - 1, MIB, MIB + 1, 2 * MIB, 16 * MIB, 33 * MIB + 7])("%d bytes", async (length) => {
  // No two parts are alike.
  const bytes = Buffer.from(new Float64Array(Math.ceil(length / 8)).map((_, index) => index).buffer).subarray(0, length);
  const path = home.path(`${length}`);
  writeFileSync(path, bytes);
  const hashed = await hashFile(path, new AbortController().signal);
  expect(hashed.hash).toBe(hash(bytes));
  for (const end of [0, 1, MIB, 16 * MIB, 16 * MIB + 5, 32 * MIB + 1, length].filter((one) => one <= length)) {
    expect({ end, hash: formatHash(await hashed.startOf(end)) }).toEqual({ end, hash: hash(bytes.subarray(0, end)) });
  }
});
