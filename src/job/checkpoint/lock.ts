/** One plain lock: an exclusively created file that names its process and is touched while that process lives. */
import { randomBytes } from "node:crypto";
import { lstat, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { Context, ProcessIdentity } from "../../base/context.ts";
import { codeOf, EntsError } from "../../base/errors.ts";

export interface Lock {
  readonly path: string;
  /** What it guards, for the message. */
  readonly guards: string;
  readonly process: Context["process"];
}

const TOUCH_EVERY_MS = 10_000;
/** A holder that cannot be asked after (another machine, another container) is gone after this long without a touch. */
const SILENT_MS = 60_000;
/** How long others that saw the same abandoned lock may take to remove it, ours included. */
const SETTLE_MS = 50;
const MOST_TAKEOVERS = 20;

/**
 * Takes a lock; resolves to its release.
 * @throws {EntsError} output: another process that is alive holds it, or something stands in its place.
 */
export async function takeLock(lock: Lock): Promise<() => Promise<void>> {
  const content = `${JSON.stringify({ ...lock.process.identity, mark: randomBytes(8).toString("hex") })}\n`;
  for (let takeovers = 0; takeovers < MOST_TAKEOVERS; takeovers++) {
    const mine = (await tryCreate(lock.path, content)) && (takeovers === 0 || (await isStillMine(lock.path, content)));
    if (mine) return keepFresh(lock.path, content);
    await removeAbandoned(lock);
  }
  throw new EntsError("output", `cannot lock ${lock.guards}: others keep taking ${lock.path}`, { hint: "try again" });
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

/** Removes the lock of a process that is gone. @throws {EntsError} output: it is not. */
async function removeAbandoned({ path, guards, process }: Lock): Promise<void> {
  const status = await lstat(path).catch(() => undefined);
  if (!status) return;
  if (!status.isFile()) {
    throw new EntsError("output", `cannot lock ${guards}: ${path} is not a file`, { hint: `ents did not make it; move it away` });
  }
  const content = await readText(path);
  const holder = parseHolder(content);
  const silent = Date.now() - status.mtimeMs > SILENT_MS;
  const isGone = (holder && process.isGone(holder)) ?? silent;
  if (!isGone) throw heldError({ path, guards, process }, holder?.pid);
  // What was looked at, and not what another has put there since.
  if ((await readText(path)) === content) await rm(path, { force: true });
}

function heldError({ path, guards }: Lock, pid: number | undefined): EntsError {
  return new EntsError("output", `another ents${pid === undefined ? "" : ` (process ${pid})`} is writing ${guards}`, {
    hint: `wait for it, or choose another file with -o; if that process is not ents, delete ${path}`,
  });
}
/** Touches the lock while this process lives; resolves to its release. */
function keepFresh(path: string, content: string): () => Promise<void> {
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
