/** The facilities of a service, kept on disk: what a completion or a warning can know without a request. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import type { Facility, Unit } from "../../codes/facility.ts";
import { findCacheDirectory } from "../../files/cache-directory.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { DAY } from "../../time/local-time.ts";

export interface CodeList {
  /** When it came, in milliseconds since 1970 UTC. */
  readonly receivedAt: number;
  readonly facilities: readonly Facility[];
}

/** Of the file's content: another one is as if there were none. */
const VERSION = 2;
const MAX_NAME = 200;
/** Two hundred times a list of 1,500 units. */
const MAX_SIZE = 64 * 1024 * 1024;

/** Undefined for a user without a home directory. `service`: its base address. */
export function findKeptCodes(service: string, { env, cwd }: Pick<Context, "env" | "cwd">): string | undefined {
  const directory = findCacheDirectory(env, platform());
  return directory && resolve(cwd, directory, "codes", `${encodeURIComponent(service).slice(0, MAX_NAME)}.json`);
}

/** Undefined where there is none, or it is damaged, or of another service. */
export function readKeptCodes(path: string | undefined, service: string): CodeList | undefined {
  if (path === undefined) return undefined;
  try {
    // A pipe would be waited for.
    const status = statSync(path);
    if (!status.isFile() || status.size > MAX_SIZE) return undefined;
    const kept = JSON.parse(readFileSync(path, "utf8")) as Partial<CodeList & { version: number; service: string }>;
    if (kept.version !== VERSION || kept.service !== service || !kept.facilities?.every(isFacility)) return undefined;
    return typeof kept.receivedAt === "number" ? { receivedAt: kept.receivedAt, facilities: kept.facilities } : undefined;
  } catch {
    return undefined;
  }
}

/** A list that cannot be kept is asked for again. */
export function keepCodes(path: string | undefined, service: string, list: CodeList): void {
  if (path === undefined) return;
  const temporary = join(dirname(path), `.${Math.random().toString(36).slice(2)}.tmp`);
  try {
    makeFolder(dirname(path));
    writeFileSync(temporary, JSON.stringify({ version: VERSION, service, ...list }), { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
    removeLeftovers(dirname(path));
  } catch {
    removeQuietly(temporary);
  }
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

/** Without a library of schemas: completion waits for it. */
function isFacility(one: Partial<Facility> | null): boolean {
  if (!one || !Array.isArray(one.units)) return false;
  return [one.code, one.name, one.network].every(isText) && isTextOrNone(one.region) && one.units.every(isUnit);
}

function isUnit(one: Partial<Unit> | null): boolean {
  if (!one || !isText(one.code) || typeof one.isLoad !== "boolean") return false;
  const { fueltech, status, firstData, lastData, capacity, storage } = one;
  const texts = [fueltech, status, firstData, lastData, capacity, storage];
  return texts.every(isTextOrNone) && [capacity, storage].every((number) => Number.isFinite(Number(number ?? 0)));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || isText(value);
}
