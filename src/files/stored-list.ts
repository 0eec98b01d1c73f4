/** What a service lists, kept on disk for later runs. What is damaged or changed, or of another service or version, is as if there were none. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { dirname, join, resolve } from "node:path";
import { getBuiltinModule } from "node:process";
import type { Context } from "../base/context.ts";
import { DAY } from "../time/local-time.ts";
import { findCacheDirectory, makeFolder } from "./folders.ts";

export interface StoredList {
  /** When it came, in milliseconds since 1970 UTC. */
  readonly receivedAt: number;
}

export interface ListFile {
  /** Undefined for a user without a home directory: nothing is kept. */
  readonly path: string | undefined;
  /** The base address. */
  readonly service: string;
  /** The version of the file's content. */
  readonly version: number;
}

const MAX_NAME = 200;

/** The path of the file; undefined for a user without a home directory. `kind`: the folder of such lists. */
export function findListFile(kind: string, service: string, { env, cwd }: Pick<Context, "env" | "cwd">): string | undefined {
  const directory = findCacheDirectory(env, platform());
  return directory && resolve(cwd, directory, kind, `${encodeURIComponent(service).slice(0, MAX_NAME)}.json`);
}

/** Undefined where there is none of at most `maxSize` bytes, or `isWhole` says no. It may throw: a file can hold anything. */
export function readStoredList<T extends StoredList>(
  { path, service, version }: ListFile,
  maxSize: number,
  isWhole: (kept: Partial<T>) => boolean | undefined,
): T | undefined {
  if (path === undefined) return undefined;
  try {
    // A pipe would be waited for.
    const status = statSync(path);
    if (!status.isFile() || status.size > maxSize) return undefined;
    const text = readFileSync(path, "utf8");
    if (text !== seal(unseal(text))) return undefined;
    const kept = JSON.parse(text) as Partial<T> & { readonly version: number; readonly service: string };
    const isOurs = kept.version === version && kept.service === service && typeof kept.receivedAt === "number";
    return isOurs && isWhole(kept) ? (kept as unknown as T) : undefined;
  } catch {
    return undefined;
  }
}

/** What cannot be kept is asked for again. */
export function storeList({ path, service, version }: ListFile, list: StoredList): void {
  if (path === undefined) return;
  const temporary = join(dirname(path), `.${Math.random().toString(36).slice(2)}.tmp`);
  try {
    makeFolder(dirname(path));
    writeFileSync(temporary, seal(JSON.stringify({ version, service, ...list })), { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
    removeLeftovers(dirname(path));
  } catch {
    removeQuietly(temporary);
  }
}

const SEAL = '{"sha256":"';
const SEALED_START = SEAL.length + 64 + '",'.length;

/** An object's JSON, with its hash as the first field. */
export function seal(json: string): string {
  // It takes 4 ms to load, which a small request without a list does not need.
  const { createHash } = getBuiltinModule("node:crypto");
  return `${SEAL}${createHash("sha256").update(json).digest("hex")}",${json.slice(1)}`;
}

function unseal(text: string): string {
  return `{${text.slice(SEALED_START)}`;
}

/** Whether it came in the last day. */
export function isOfToday({ receivedAt }: StoredList, now: number): boolean {
  return receivedAt <= now && now - receivedAt < DAY;
}

/** Temporary files of runs that were killed. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => /^\.[0-9a-z]+\.tmp$/.test(one))) {
    const path = join(folder, name);
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > DAY) removeQuietly(path);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder itself may be none.
  }
}
