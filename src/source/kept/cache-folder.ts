/** The folder of the cache, which never grows past its limit. */
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { platform } from "node:os";
import { join, resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { codeOf } from "../../base/errors.ts";
import { findCacheDirectory } from "../../files/folders.ts";
import { isAnswer, isUnfinished } from "./answer-file.ts";

/** Bytes. */
export const MAX_CACHE_SIZE = 1024 ** 3;

/** Undefined for a user without a home directory. */
export function findCacheFolder({ env, cwd }: Pick<Context, "env" | "cwd">): string | undefined {
  const directory = findCacheDirectory(env, platform());
  return directory && resolve(cwd, directory, "answers");
}

export interface CacheFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970 UTC. */
  readonly usedAt: number;
  /** Whether it is an answer, and not one that is being written, or was when its run was killed. */
  readonly isWhole: boolean;
}

/** What ents keeps in the folder; nothing where there is none. */
export function listCacheFiles(folder: string): CacheFile[] {
  return listNames(folder).flatMap((name): CacheFile[] => {
    const path = join(folder, name);
    const isWhole = isAnswer(name);
    // Another run may just have deleted it.
    const status = isWhole || isUnfinished(name) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
    return status ? [{ path, size: status.size, usedAt: status.mtimeMs, isWhole }] : [];
  });
}

export function sumSizes(files: readonly CacheFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** The limit does not allow one more answer. */
export class NoRoom extends Error {}

/** A part that nobody has written to for so long is of a run that was killed. */
const ABANDONED_MS = 60 * 60 * 1000;

/** What is written before a run looks at the folder again: a share of the room that it saw, as others may write at once. */
const SHARE = 1 / 64;
const LOOK_EVERY_MS = 10_000;
/** So much is deleted at once, or each answer would need a look of its own. */
const FREED_SHARE = 1 / 16;

/** Makes room for each answer that a run writes. */
export type RoomMaker = (size: number, now: number) => void;

/**
 * Deletes the least recently used answers, so that all together, with those that are being written, are within the limit.
 * Each run does so before it puts an answer in place, when it is on the disk already: of runs that do it at once, the last
 * sees what the others have written.
 * @throws {NoRoom} what is being written is too much.
 */
export function createRoomMaker(folder: string, limit: number): RoomMaker {
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

/** Returns the bytes that are left. */
function makeRoom(folder: string, limit: number, now: number): number {
  const files = listCacheFiles(folder);
  const isExpendable = ({ isWhole, usedAt }: CacheFile) => isWhole || usedAt < now - ABANDONED_MS;
  const kept = sumSizes(files.filter((file) => !isExpendable(file)));
  if (kept > limit) throw new NoRoom();
  let size = sumSizes(files);
  if (size <= limit) return limit - size;
  const wanted = Math.max(kept, limit * (1 - FREED_SHARE));
  for (const file of files.filter(isExpendable).toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (remove(file)) size -= file.size;
    if (size <= wanted) break;
  }
  if (size > limit) throw new NoRoom();
  return limit - size;
}

/** False where another program has it open (Windows), or the folder may not be changed. */
export function remove({ path }: CacheFile): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
