import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Context } from "../context.ts";
import { codeOf, EntsError } from "../errors.ts";

export interface Lock {
  readonly path: string;
  /** What it guards, for the message. */
  readonly guards: string;
  readonly process: Context["process"];
}

/**
 * Takes a lock file that bears this process's number; resolves to its release.
 * One whose process has ended is taken over.
 * @throws {EntsError} output: another process that is alive holds it.
 */
export async function takeLock(lock: Lock): Promise<() => Promise<void>> {
  const { path } = lock;
  const own = `${path}.${lock.process.id}.${randomBytes(4).toString("hex")}`;
  await writeFile(own, `${lock.process.id}\n`, { flag: "wx", mode: 0o600 });
  try {
    while (!(await tryLink(own, path))) await removeStale(lock);
  } finally {
    await rm(own, { force: true });
  }
  return () => rm(path, { force: true });
}

/** A link appears with its content, so that nobody reads a lock that is half written. */
async function tryLink(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function removeStale({ path, guards, process }: Lock): Promise<void> {
  const holder = await readHolder(path);
  if (holder === undefined) return;
  if (holder > 0 && process.isRunning(holder)) {
    throw new EntsError("output", `another ents (process ${holder}) is writing ${guards}`, {
      hint: `wait for it, or write elsewhere; if it is no ents, remove ${path}`,
    });
  }
  // Two may see the same stale lock: only one can move it, and what it moved must still be the stale one.
  const moved = `${path}.stale.${process.id}`;
  await rename(path, moved).catch(() => {});
  if ((await readHolder(moved)) !== holder) await link(moved, path).catch(() => {});
  await rm(moved, { force: true });
}

async function readHolder(path: string): Promise<number | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10) || 0;
}
