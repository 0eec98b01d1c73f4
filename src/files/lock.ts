/** A lock file: created exclusively, names its process, and is touched while that process runs. */
import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, lutimes, open, readFile, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import type { Context, ProcessIdentity } from "../base/context.ts";
import { attempt, codeOf, EntsError } from "../base/errors.ts";

interface Lock {
  readonly path: string;
  /** The file that it guards, for messages. */
  readonly guards: string;
  readonly process: Context["process"];
}

export type Release = () => Promise<void>;

const TOUCH_EVERY_MS = 10_000;
/** A holder on another machine or in another container counts as gone after this long without a touch. */
const STALE_MS = 60_000;
/**
 * On Windows, a lock that is being removed cannot be opened for a moment (EPERM); after that, the error is another one.
 */
const REMOVED_MS = 1000;
/** A lock without a process name for this long is from a killed process, or not from ents. */
const NAMELESS_MS = 1000;
const MAX_TRIES = 100;
const POLL_MS = 20;

/**
 * @throws {EntsError} output: a running process still holds it after `maxMs`, or its path is not a file; the signal's
 * reason.
 */
export async function takeLock(lock: Lock, maxMs = 0, signal?: AbortSignal): Promise<Release> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const taken = await tryLock(lock);
    if (typeof taken === "function") return taken;
    if (waitedMs >= maxMs) throw heldError(lock, taken);
    signal?.throwIfAborted();
    await sleep(POLL_MS);
  }
}

interface Holder extends ProcessIdentity {
  /** Milliseconds since it touched the lock. */
  readonly silentMs: number;
}

/**
 * Resolves to a release function, or to the process that holds it (undefined if unknown). @throws {EntsError} output:
 * it is not a file.
 */
async function tryLock(lock: Lock): Promise<Release | Holder | undefined> {
  const content = `${JSON.stringify({ ...lock.process.identity, mark: randomBytes(8).toString("hex") })}\n`;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const watchedMs = tries * POLL_MS;
    if (await tryCreate(lock.path, content, watchedMs < REMOVED_MS)) return keepFresh(lock, content);
    const found = await inspectLock(lock, watchedMs);
    if (found?.isGone) await removeLock(lock, found.content, { mine: content, watchedMs });
    else if (found?.holder) return { ...found.holder, silentMs: found.silentMs };
    await sleep(POLL_MS);
  }
  return undefined;
}

async function tryCreate(path: string, content: string, mayBeRemoved = false): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST" || (mayBeRemoved && codeOf(error) === "EPERM")) return false;
    throw error;
  }
  try {
    await file.writeFile(content);
    await file.close();
    return true;
  } catch (error) {
    await file.close().catch(() => {});
    // A full disk leaves the lock half written.
    await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

/** `watchedMs`: minimum time that the path has been watched, by this machine's clock; the disk's clock may differ. */
async function inspectLock({ path, guards, process }: Lock, watchedMs: number) {
  const status = await lstat(path).catch(() => undefined);
  if (!status) return undefined;
  if (!status.isFile()) {
    throw new EntsError("output", `cannot lock ${guards}: ${path} is not a file`, {
      hint: "ents did not create it; move or delete it",
    });
  }
  const content = await readLockText(path);
  // Undefined if the lock is not written yet, or never will be.
  const holder = parseHolder(content);
  const silentMs = Date.now() - status.mtimeMs;
  const isGone = holder ? (process.isGone(holder) ?? silentMs > STALE_MS) : watchedMs >= NAMELESS_MS;
  return { content, holder, isGone, silentMs };
}

/** Removes a lock if it still has this content. One process at a time, or it could remove a lock taken in between. */
async function removeLock(
  lock: Lock,
  content: string | undefined,
  { mine, watchedMs }: { mine: string; watchedMs: number },
): Promise<void> {
  const guard = guardOf(lock);
  if (!(await tryCreate(guard.path, mine))) return removeLeftGuard(guard, watchedMs);
  try {
    if ((await readLockText(lock.path)) === content) await rm(lock.path, { force: true });
  } finally {
    await rm(guard.path, { force: true });
  }
}

function guardOf(lock: Lock): Lock {
  return { ...lock, path: `${lock.path}.removing` };
}

/** Removes the guard of a process that was killed while it removed a lock. */
async function removeLeftGuard(guard: Lock, watchedMs: number): Promise<void> {
  if ((await inspectLock(guard, watchedMs))?.isGone) await rm(guard.path, { force: true });
}

function heldError({ path, guards, process: { identity } }: Lock, holder?: Holder): EntsError {
  const isNear = holder?.host === identity.host && holder.namespace === identity.namespace;
  if (!holder || isNear) {
    return new EntsError("output", `another ents${holder ? ` (process ${holder.pid})` : ""} is writing ${guards}`, {
      hint: `wait for it, or write to another file; if that process is not ents, delete ${path}`,
    });
  }
  const place =
    holder.host === identity.host
      ? "in another container of this machine"
      : `on the machine or in the container ${holder.host}`;
  const seconds = Math.max(1, Math.ceil((STALE_MS - holder.silentMs) / 1000));
  return new EntsError("output", `another ents ${place} is writing ${guards}, or was until it ended`, {
    hint: `wait for it, or write to another file; if it has ended, its lock counts for ${seconds} more seconds`,
  });
}

function keepFresh(lock: Lock, content: string): Release {
  const { path } = lock;
  const timer = setInterval(() => void lutimes(path, new Date(), new Date()).catch(() => {}), TOUCH_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    if ((await readLockText(path)) === content) await rm(path, { force: true });
    await removeLeftGuard(guardOf(lock), Number.POSITIVE_INFINITY);
  };
}

async function readLockText(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

const holderSchema = z.object({
  host: z.string(),
  boot: z.string(),
  namespace: z.string(),
  pid: z.number(),
  started: z.string(),
});

/** Undefined if the lock is half written, or not from ents. */
function parseHolder(content: string | undefined): ProcessIdentity | undefined {
  return attempt(() => holderSchema.parse(JSON.parse(content ?? "")));
}
