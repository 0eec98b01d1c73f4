/** The cache folder, which never grows beyond its limit. */
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { platform } from "node:os";
import { join, resolve } from "node:path";
import type { Context } from "../base/context.ts";
import { codeOf, EntsError } from "../base/errors.ts";
import { findCacheDirectory } from "../files/folders.ts";
import { isTemporary } from "../files/temporary.ts";
import { isResponseFile, readHeading } from "./response-file.ts";
import { lstat } from "node:fs/promises";
import { findExposure } from "../files/own-folder.ts";
import { describeSystemError } from "../files/system-error.ts";

/** Bytes. */
export const MAX_CACHE_SIZE = 1024 ** 3;

/** Undefined for a user without a home directory. */
export function findCacheFolder({ env, cwd }: Pick<Context, "env" | "cwd">): string | undefined {
  const directory = findCacheDirectory(env, platform());
  return directory && resolve(cwd, directory, "answers");
}

interface CacheFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970 UTC. */
  readonly usedAt: number;
  /** False for a file that is being written, or was when its run was killed. */
  readonly isWhole: boolean;
}

export function listCacheFiles(folder: string): CacheFile[] {
  return listFileNames(folder).flatMap((name): CacheFile[] => {
    const path = join(folder, name);
    const isWhole = isResponseFile(name);
    // Another run may have just deleted it.
    const status = isWhole || isTemporary(name) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
    return status ? [{ path, size: status.size, usedAt: status.mtimeMs, isWhole }] : [];
  });
}

export function sumSizes(files: readonly CacheFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Thrown if one more response would exceed the limit. */
export class CacheFull extends Error {}

/** Unfinished files older than this were left by a killed run. */
const ABANDONED_MS = 60 * 60 * 1000;

/**
 * A run measures the folder again after filling this share of the free space, or after `LOOK_EVERY_MS`: others may be
 * writing too.
 */
const SHARE = 1 / 64;
const LOOK_EVERY_MS = 10_000;
/** Share of the limit that is freed at once, so that not every response has to free some. */
const FREED_SHARE = 1 / 16;

/** Makes room for a response of `size` bytes. */
type RoomMaker = (size: number, now: number) => void;

/**
 * Deletes the least recently used responses until the folder, including files being written, is within the limit. It is
 * called when a response is on disk but not in place yet: of several runs at once, the last one sees the files of all
 * others.
 * @throws {CacheFull} not enough could be deleted.
 */
export function createEvictor(folder: string, limit: number): RoomMaker {
  let allowed = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return (size, now) => {
    allowed -= size;
    if (allowed >= 0 && Math.abs(now - lookedAt) < LOOK_EVERY_MS) return;
    allowed = 0;
    allowed = makeRoom(folder, limit, now) * SHARE;
    lookedAt = now;
  };
}

/** Returns the number of free bytes. */
function makeRoom(folder: string, limit: number, now: number): number {
  const files = listCacheFiles(folder);
  const isExpendable = ({ isWhole, usedAt }: CacheFile) => isWhole || usedAt < now - ABANDONED_MS;
  const kept = sumSizes(files.filter((file) => !isExpendable(file)));
  if (kept > limit) throw new CacheFull();
  let size = sumSizes(files);
  if (size <= limit) return limit - size;
  const wanted = Math.max(kept, limit * (1 - FREED_SHARE));
  for (const file of files.filter(isExpendable).toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (remove(file)) size -= file.size;
    if (size <= wanted) break;
  }
  if (size > limit) throw new CacheFull();
  return limit - size;
}

/** False if another program has the file open (Windows) or the folder is read-only. */
function remove({ path }: CacheFile): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

function listFileNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

interface CacheContent {
  readonly path: string;
  readonly responses: number;
  /** Includes responses being written. */
  readonly bytes: number;
}

interface CacheFacts extends CacheContent {
  /** Bytes. */
  readonly limit: number;
  /** When the oldest response was received, in milliseconds since 1970 UTC. */
  readonly oldest: number | undefined;
}

/** @throws {EntsError} output: the cache cannot be read, or other users may have written to it. */
export async function describeCache(context: Context): Promise<CacheFacts> {
  const { path, files, owner } = await openContent(context);
  let oldest: number | undefined;
  for (const file of files.filter(({ isWhole }) => isWhole)) {
    const receivedAt = (await readHeading(file.path, owner))?.receivedAt ?? oldest;
    if (receivedAt !== undefined) oldest = Math.min(oldest ?? receivedAt, receivedAt);
  }
  return { ...sumUp(path, files), limit: MAX_CACHE_SIZE, oldest };
}

/** Deletes the files that ents created, and returns how many. @throws {EntsError} as `describeCache`. */
export async function clearCache(context: Context): Promise<CacheContent> {
  const { path, files } = await openContent(context);
  return sumUp(path, files.filter(remove));
}

function sumUp(path: string, files: readonly CacheFile[]): CacheContent {
  return { path, responses: files.filter(({ isWhole }) => isWhole).length, bytes: sumSizes(files) };
}

async function openContent(context: Context): Promise<{ path: string; files: CacheFile[]; owner: number }> {
  const path = findCacheFolder(context);
  const hint = "choose another directory with ENTS_CACHE_DIR";
  if (path === undefined) throw new EntsError("output", "there is no home directory for the cache", { hint });
  try {
    const { uid: owner } = await lstat(path);
    const exposure = await findExposure(path, context.process.uid);
    if (exposure !== undefined)
      throw new EntsError("output", `cannot use the cache in ${path}: ${exposure.why}`, { hint });
    return { path, files: listCacheFiles(path), owner };
  } catch (cause) {
    if (cause instanceof EntsError) throw cause;
    if (codeOf(cause) === "ENOENT") return { path, files: [], owner: 0 };
    throw new EntsError("output", `cannot read the cache in ${path}: ${describeSystemError(cause)}`, { cause, hint });
  }
}
