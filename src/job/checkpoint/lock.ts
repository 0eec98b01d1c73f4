import { randomBytes } from "node:crypto";
import { link, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Context } from "../../base/context.ts";
import { codeOf, EntsError } from "../../base/errors.ts";

export interface Lock {
  readonly path: string;
  /** What it guards, for the message. */
  readonly guards: string;
  readonly process: Context["process"];
}

/**
 * Takes a lock file that bears this process's number; resolves to its release.
 * One whose process has ended stays, and is followed by a file that only its successor can make: nothing is moved
 * that another may rely on.
 * @throws {EntsError} output: another process that is alive holds it.
 */
export async function takeLock(lock: Lock): Promise<() => Promise<void>> {
  const mark = randomBytes(8).toString("hex");
  const own = `${lock.path}.${lock.process.id}.${mark}`;
  await writeFile(own, `${lock.process.id} ${mark}\n`, { flag: "wx", mode: 0o600 });
  try {
    for (;;) {
      const chain = await follow(lock, own);
      if (await isWhole(chain)) {
        await removeStrays(lock, chain);
        return () => release(chain);
      }
      await rm(chain.at(-1)?.path ?? own, { force: true });
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** A lock file of a process that has ended, or at the end of a chain our own. */
interface Link {
  readonly path: string;
  readonly content: string | undefined;
}

/** Goes from the lock to its successors, to the first place that is free, and takes that. */
async function follow({ path, guards, process }: Lock, own: string): Promise<Link[]> {
  const chain: Link[] = [];
  for (let at = path; ; ) {
    if (await tryLink(own, at)) return [...chain, { path: at, content: undefined }];
    const content = await readFile(at, "utf8").catch(() => undefined);
    if (content === undefined) {
      chain.length = 0;
      at = path;
      continue;
    }
    const holder = Number.parseInt(content, 10) || 0;
    // Our own number on it is an earlier process's: in a container the number is the same each time.
    if (holder > 0 && holder !== process.id && process.isRunning(holder)) {
      throw new EntsError("output", `another ents (process ${holder}) is writing ${guards}`, {
        hint: `wait for it, or write elsewhere; if it is no ents, remove ${path}`,
      });
    }
    chain.push({ path: at, content });
    at = `${path}.after.${/^\d+ (\w+)/.exec(content)?.[1] ?? "unmarked"}`;
  }
}

/** Whether all before ours still stand: a holder that leaves takes the first away first. */
async function isWhole(chain: readonly Link[]): Promise<boolean> {
  for (const { path, content } of chain) {
    if (content !== undefined && (await readFile(path, "utf8").catch(() => undefined)) !== content) return false;
  }
  return true;
}

/** Successors of locks that are gone: whoever held them was killed while it left. */
async function removeStrays({ path, process }: Lock, chain: readonly Link[]): Promise<void> {
  const folder = dirname(path);
  const strays = (await readdir(folder))
    .filter((name) => name.startsWith(`${basename(path)}.after.`))
    .map((name) => join(folder, name))
    .filter((stray) => chain.every((one) => one.path !== stray));
  for (const stray of strays) {
    const holder = Number.parseInt(await readFile(stray, "utf8").catch(() => ""), 10) || 0;
    if (holder === 0 || holder === process.id || !process.isRunning(holder)) await rm(stray, { force: true });
  }
}

async function release(chain: readonly Link[]): Promise<void> {
  for (const { path } of chain) await rm(path, { force: true });
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
