/** What `ents cache` shows and deletes; other runs may use the cache meanwhile. */
import { lstat } from "node:fs/promises";
import type { Context } from "../../base/context.ts";
import { codeOf, EntsError } from "../../base/errors.ts";
import { findExposure } from "../../files/own-folder.ts";
import { describeSystemError } from "../../files/system-error.ts";
import { type CacheFile, findCacheFolder, listCacheFiles, MAX_CACHE_SIZE, remove, sumSizes } from "./cache-folder.ts";
import { readHeading } from "./answer-file.ts";

export interface CacheContent {
  readonly path: string;
  /** Their number. */
  readonly answers: number;
  /** Also of answers that are being written. */
  readonly bytes: number;
}

export interface CacheFacts extends CacheContent {
  /** Bytes. */
  readonly limit: number;
  /** When the oldest answer was received, in milliseconds since 1970 UTC. */
  readonly oldest: number | undefined;
}

type CacheContext = Pick<Context, "env" | "cwd" | "process">;

/** @throws {EntsError} output: it cannot be read, or others may have written to it. */
export async function describeCache(context: CacheContext): Promise<CacheFacts> {
  const { path, files, owner } = await openContent(context);
  let oldest: number | undefined;
  for (const file of files.filter(({ isWhole }) => isWhole)) {
    const receivedAt = (await readHeading(file.path, owner))?.heading.receivedAt ?? oldest;
    if (receivedAt !== undefined) oldest = Math.min(oldest ?? receivedAt, receivedAt);
  }
  return { ...sumUp(path, files), limit: MAX_CACHE_SIZE, oldest };
}

/** Deletes what ents has made, and says what. @throws {EntsError} as above. */
export async function clearCache(context: CacheContext): Promise<CacheContent> {
  const { path, files } = await openContent(context);
  return sumUp(path, files.filter(remove));
}

function sumUp(path: string, files: readonly CacheFile[]): CacheContent {
  return { path, answers: files.filter(({ isWhole }) => isWhole).length, bytes: sumSizes(files) };
}

async function openContent(context: CacheContext): Promise<{ path: string; files: CacheFile[]; owner: number }> {
  const path = findCacheFolder(context);
  const hint = "choose another directory with ENTS_CACHE_DIR";
  if (path === undefined) throw new EntsError("output", "there is no home directory for the cache", { hint });
  try {
    const { uid: owner } = await lstat(path);
    const exposure = await findExposure(path, context.process.uid);
    if (exposure !== undefined) throw new EntsError("output", `cannot use the cache in ${path}: ${exposure}`, { hint });
    return { path, files: listCacheFiles(path), owner };
  } catch (cause) {
    if (cause instanceof EntsError) throw cause;
    if (codeOf(cause) === "ENOENT") return { path, files: [], owner: 0 };
    throw new EntsError("output", `cannot read the cache in ${path}: ${describeSystemError(cause)}`, { cause, hint });
  }
}
