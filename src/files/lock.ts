/** One plain lock: an exclusively created file that names its process and is touched while that process lives. */
import { randomBytes } from "node:crypto";
import { lstat, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { Context, ProcessIdentity } from "../base/context.ts";
import { codeOf, EntsError } from "../base/errors.ts";

export interface Lock {
  readonly path: string;
  /** What it guards, for the message. */
  readonly guards: string;
  readonly process: Context["process"];
}

/** Lets others have the lock. */
export type Release = () => Promise<void>;

/** Who has a lock; undefined where that cannot be told. */
interface Holder {
  readonly pid: number | undefined;
}

const TOUCH_EVERY_MS = 10_000;
/** A holder that cannot be asked after (another machine, another container) is gone after this long without a touch. */
const SILENT_MS = 60_000;
/** A process writes its name into a lock at once: one without was killed in between, or it is none of ents. */
const NAMELESS_MS = 1000;
/** How long others that saw the same abandoned lock may take to remove it, ours included. */
const SETTLE_MS = 50;
const MAX_TRIES = 100;
const LOOK_AGAIN_MS = 20;

/** Takes a lock that is free. @throws {EntsError} output: another process that is alive holds it, or something stands in its place. */
export async function takeLock(lock: Lock): Promise<Release> {
  const taken = await tryLock(lock);
  if (typeof taken === "function") return taken;
  throw heldError(lock, taken);
}

/** Takes a lock as soon as it is free. @throws {EntsError} output: as above, where it was not free in `maxMs`. */
export async function waitForLock(lock: Lock, maxMs: number): Promise<Release> {
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    const taken = await tryLock(lock);
    if (typeof taken === "function") return taken;
    if (waitedMs >= maxMs) throw heldError(lock, taken);
    await sleep(LOOK_AGAIN_MS);
  }
}

async function tryLock(lock: Lock): Promise<Release | Holder> {
  const content = `${JSON.stringify({ ...lock.process.identity, mark: randomBytes(8).toString("hex") })}\n`;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const isMine = (await tryCreate(lock.path, content)) && (tries === 0 || (await isStillMine(lock.path, content)));
    if (isMine) return keepFresh(lock.path, content);
    const holder = await removeAbandoned(lock);
    if (holder) return holder;
  }
  return { pid: undefined };
}

async function tryCreate(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // Half written, where the disk is full.
    await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

/** Another that saw the same abandoned lock may have removed ours for it. */
async function isStillMine(path: string, content: string): Promise<boolean> {
  await sleep(SETTLE_MS);
  return (await readText(path)) === content;
}

/**
 * Removes the lock of a process that is gone; resolves to the holder of another, and to nothing where it is to be looked
 * at again. @throws {EntsError} output: it is no file.
 */
async function removeAbandoned({ path, guards, process }: Lock): Promise<Holder | undefined> {
  const status = await lstat(path).catch(() => undefined);
  if (!status) return undefined;
  if (!status.isFile()) {
    throw new EntsError("output", `cannot lock ${guards}: ${path} is not a file`, { hint: "ents did not make it; move it away" });
  }
  const content = await readText(path);
  const holder = parseHolder(content);
  const silentMs = Date.now() - status.mtimeMs;
  if (!holder && silentMs < NAMELESS_MS) {
    await sleep(LOOK_AGAIN_MS);
    return undefined;
  }
  const isGone = !holder || (process.isGone(holder) ?? silentMs > SILENT_MS);
  if (!isGone) return { pid: holder.pid };
  // What was looked at, and not what another has put there since.
  if ((await readText(path)) === content) await rm(path, { force: true });
  return undefined;
}

function heldError({ path, guards }: Lock, { pid }: Holder): EntsError {
  return new EntsError("output", `another ents${pid === undefined ? "" : ` (process ${pid})`} is writing ${guards}`, {
    hint: `wait for it, or write elsewhere; if that process is not ents, delete ${path}`,
  });
}

/** Touches the lock while this process lives. */
function keepFresh(path: string, content: string): Release {
  const timer = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), TOUCH_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    if ((await readText(path)) === content) await rm(path, { force: true });
  };
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

const holderSchema = z.object({ host: z.string(), boot: z.string(), namespace: z.string(), pid: z.number(), started: z.string() });

/** The process that a lock names; undefined where it is half written, or no lock of ents. */
function parseHolder(content: string | undefined): ProcessIdentity | undefined {
  try {
    return holderSchema.parse(JSON.parse(content ?? ""));
  } catch {
    return undefined;
  }
}
