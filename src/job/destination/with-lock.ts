import type { Context } from "../../base/context.ts";
import { takeLock } from "../../files/lock.ts";
import { toFileError } from "./target.ts";

interface Locked {
  /** The lock file. */
  readonly path: string;
  /** What is written, and whether it is there already. */
  readonly name: string;
  readonly exists: boolean;
}

/** @throws {EntsError} output: another run holds the lock, or it cannot be made; the errors of the work. */
export async function withLock({ path, name, exists }: Locked, process: Context["process"], work: () => Promise<void>): Promise<void> {
  const release = await takeLock({ path, guards: name, process }).catch((error: unknown) => {
    throw toFileError(error, name, exists);
  });
  try {
    await work();
  } finally {
    // If it cannot be removed, later runs take it for the lock of a process that has ended.
    await release().catch(() => {});
  }
}
