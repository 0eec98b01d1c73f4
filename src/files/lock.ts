/** A lock file: created exclusively, names its process, and is touched while that process runs. */
import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, lutimes, open, readFile, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import type { Context, ProcessIdentity } from "../base/context.ts";
import { codeOf, EntsError } from "../base/errors.ts";

export interface Lock {
  readonly path: string;
  /** The file that it guards, for messages. */
  readonly guards: string;
  readonly process: Context["process"];
}

export type Release = () => Promise<void>;

/** The process that holds a lock; undefined where it is unknown. */
interface Holder {
  readonly pid: number | undefined;
}

const TOUCH_EVERY_MS = 10_000;
/** A holder on another machine or in another container counts as gone after this long without a touch. */
const STALE_MS = 60_000;
/** A lock stays without a process name for this long only if its process was killed, or ents did not write it. */
const NAMELESS_MS = 1000;
const MAX_TRIES = 100;
const POLL_MS = 20;

/** @throws {EntsError} output: a running process holds it, or its path is not a file. */
export async function takeLock(lock: Lock): Promise<Release> {
  const taken = await tryLock(lock);
  if (typeof taken === "function") return taken;
  throw heldError(lock, taken);
}

/** Takes a lock as soon as it is free. @throws {EntsError} output: as above, after `maxMs`; the signal's reason. */
export async function waitForLock(lock: Lock, maxMs: number, signal: AbortSignal): Promise<Release> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const taken = await tryLock(lock);
    if (typeof taken === "function") return taken;
    if (waitedMs >= maxMs) throw heldError(lock, taken);
    signal.throwIfAborted();
    await sleep(POLL_MS);
  }
}

async function tryLock(lock: Lock): Promise<Release | Holder> {
  const content = `${JSON.stringify({ ...lock.process.identity, mark: randomBytes(8).toString("hex") })}\n`;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (await tryCreate(lock.path, content)) return keepFresh(lock, content);
    const holder = await removeAbandoned(lock, content, tries * POLL_MS);
    if (holder) return holder;
    await sleep(POLL_MS);
  }
  return { pid: undefined };
}

async function tryCreate(path: string, content: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    await file.writeFile(content);
    await file.close();
    return true;
  } catch (error) {
    await file.close().catch(() => {});
    // A full disk leaves it half written.
    await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Removes the lock of a process that has ended. Resolves to the holder of any other lock; undefined: try again.
 * @throws {EntsError} output: it is not a file.
 */
async function removeAbandoned(lock: Lock, mine: string, watchedMs: number): Promise<Holder | undefined> {
  const found = await inspect(lock, watchedMs);
  if (!found) return undefined;
  if (found.isGone) await removeLock(lock, found.content, { mine, watchedMs });
  else if (found.holder) return { pid: found.holder.pid };
  return undefined;
}

interface LockFile {
  readonly content: string | undefined;
  /** Undefined where it is not written yet, or never will be. */
  readonly holder: ProcessIdentity | undefined;
  readonly isGone: boolean;
}

/** `watchedMs`: how long its path has been looked at, at least; the disk may have another clock. */
async function inspect({ path, guards, process }: Lock, watchedMs: number): Promise<LockFile | undefined> {
  const status = await lstat(path).catch(() => undefined);
  if (!status) return undefined;
  if (!status.isFile()) {
    throw new EntsError("output", `cannot lock ${guards}: ${path} is not a file`, { hint: "ents did not create it; move or delete it" });
  }
  const content = await readText(path);
  const holder = parseHolder(content);
  const isGone = holder ? (process.isGone(holder) ?? Date.now() - status.mtimeMs > STALE_MS) : watchedMs >= NAMELESS_MS;
  return { content, holder, isGone };
}

/** Removes a lock if it has this content. One process at a time: another one may have removed it since, and a third taken it. */
async function removeLock(
  lock: Lock,
  content: string | undefined,
  { mine, watchedMs }: { mine: string; watchedMs: number },
): Promise<void> {
  const guard = guardOf(lock);
  if (!(await tryCreate(guard.path, mine))) {
    await removeLeftGuard(guard, watchedMs);
    return;
  }
  try {
    if ((await readText(lock.path)) === content) await rm(lock.path, { force: true });
  } finally {
    await rm(guard.path, { force: true });
  }
}

function guardOf(lock: Lock): Lock {
  return { ...lock, path: `${lock.path}.removing` };
}

/** Its process was killed while it removed a lock. */
async function removeLeftGuard(guard: Lock, watchedMs: number): Promise<void> {
  if ((await inspect(guard, watchedMs))?.isGone) await rm(guard.path, { force: true });
}

function heldError({ path, guards }: Lock, { pid }: Holder): EntsError {
  return new EntsError("output", `another ents${pid === undefined ? "" : ` (process ${pid})`} is writing ${guards}`, {
    hint: `wait for it, or write to another file; if that process is not ents, delete ${path}`,
  });
}

/** Touches the lock while this process runs. */
function keepFresh(lock: Lock, content: string): Release {
  const { path } = lock;
  const timer = setInterval(() => void lutimes(path, new Date(), new Date()).catch(() => {}), TOUCH_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    if ((await readText(path)) === content) await rm(path, { force: true });
    await removeLeftGuard(guardOf(lock), Number.POSITIVE_INFINITY);
  };
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

const holderSchema = z.object({ host: z.string(), boot: z.string(), namespace: z.string(), pid: z.number(), started: z.string() });

/** Undefined where the lock is half written, or not one of ents. */
function parseHolder(content: string | undefined): ProcessIdentity | undefined {
  try {
    return holderSchema.parse(JSON.parse(content ?? ""));
  } catch {
    return undefined;
  }
}
