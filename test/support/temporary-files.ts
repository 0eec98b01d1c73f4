/**
 * The quick run keeps its temporary files in memory where the machine has such a folder and room: a third less time for
 * tests that write files. The long run keeps them on the disk, as users do.
 */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const MEMORY = "/dev/shm";
/** Several times what a run has there at once. */
const ROOM_BYTES = 2 ** 29;

export function setup({ vite }: TestProject): (() => void) | undefined {
  if (vite.config.mode === "long" || process.env["TMPDIR"] !== undefined || !hasRoom()) return undefined;
  const folder = mkdtempSync(join(MEMORY, "ents-tests-"));
  // Some tests are of other users.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= ROOM_BYTES;
  } catch {
    return false;
  }
}
