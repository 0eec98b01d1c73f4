/**
 * Keeps the tests' temporary files in memory if the machine has such a folder with enough space; tests that write files
 * then take a third less time. The long run keeps them on disk, as users do.
 */
import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { removeFolder } from "./cleanup.ts";

const MEMORY = "/dev/shm";
/** Several times what a run needs at once. */
const ROOM_BYTES = 2 ** 29;

export function setup({ vite }: TestProject): (() => Promise<void>) | undefined {
  if (vite.config.mode === "long" || process.env["TMPDIR"] !== undefined || !hasRoom()) return undefined;
  removeLeftovers();
  const folder = mkdtempSync(join(MEMORY, `ents-tests-${process.pid}-`));
  // Some tests run as other users.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => removeFolder(folder);
}

/** Removes those of killed runs. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = /^ents-tests-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    } catch {
      // Another user's, or a disk that its tests left mounted; no reason to fail.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= ROOM_BYTES;
  } catch {
    return false;
  }
}
