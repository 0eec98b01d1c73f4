/** Lists of a service, stored on disk for later runs. A file that is damaged, edited, or of another service or version is ignored. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { dirname, join, resolve } from "node:path";
import { getBuiltinModule } from "node:process";
import { attempt } from "../base/errors.ts";
import type { Context } from "../base/context.ts";
import { DAY } from "../time/local-time.ts";
import { findCacheDirectory, ensureFolder } from "./folders.ts";

export interface StoredList {
  /** When it was received, in milliseconds since 1970 UTC. */
  readonly receivedAt: number;
}

interface ListKind<T> {
  /** The folder of its files in the cache directory. */
  readonly folder: string;
  /** The version of the file content. */
  readonly version: number;
  /** Bytes; a larger file is not read. */
  readonly maxSize: number;
  /** Checks the content of a file. May throw, as a file can hold anything. */
  readonly isWhole: (kept: Partial<T>) => boolean | undefined;
}

type Around = Pick<Context, "env" | "cwd">;

const MAX_NAME = 200;

/** Lists of one kind, each by the base address of its service. Nothing is stored without a cache directory. */
export class ListStore<T extends StoredList> {
  readonly #kind: ListKind<T>;

  constructor(kind: ListKind<T>) {
    this.#kind = kind;
  }

  /** The stored list, whatever its age. */
  read(service: string, around: Around): T | undefined {
    const { version, maxSize, isWhole } = this.#kind;
    const path = this.#locate(service, around);
    if (path === undefined) return undefined;
    return attempt(() => {
      // Reading a pipe would block.
      const status = statSync(path);
      if (!status.isFile() || status.size > maxSize) return undefined;
      const text = readFileSync(path, "utf8");
      if (text !== seal(unseal(text))) return undefined;
      const kept = JSON.parse(text) as Partial<T> & { readonly version: number; readonly service: string };
      const isOurs = kept.version === version && kept.service === service && typeof kept.receivedAt === "number";
      return isOurs && isWhole(kept) ? (kept as unknown as T) : undefined;
    });
  }

  /** Stores a list. Ignores errors: the next run fetches the list again. */
  store(service: string, list: T, around: Around): void {
    const path = this.#locate(service, around);
    if (path === undefined) return;
    const folder = dirname(path);
    const temporary = join(folder, `.${Math.random().toString(36).slice(2)}.tmp`);
    try {
      ensureFolder(folder);
      writeFileSync(temporary, seal(JSON.stringify({ version: this.#kind.version, service, ...list })), { mode: 0o600, flag: "wx" });
      renameSync(temporary, path);
      removeLeftovers(folder);
    } catch {
      // The path of the folder may be a file.
      attempt(() => rmSync(temporary, { force: true }));
    }
  }

  #locate(service: string, { env, cwd }: Around): string | undefined {
    const directory = findCacheDirectory(env, platform());
    return directory && resolve(cwd, directory, this.#kind.folder, `${encodeURIComponent(service).slice(0, MAX_NAME)}.json`);
  }
}

const SEAL = '{"sha256":"';
const SEALED_START = SEAL.length + 64 + '",'.length;

/** An object's JSON, with its SHA-256 as the first field. */
export function seal(json: string): string {
  // Loaded late: it takes 4 ms, and a small request needs no list.
  const { createHash } = getBuiltinModule("node:crypto");
  return `${SEAL}${createHash("sha256").update(json).digest("hex")}",${json.slice(1)}`;
}

function unseal(text: string): string {
  return `{${text.slice(SEALED_START)}`;
}

/** True if it was received in the last 24 hours. */
export function isLessThanADayOld({ receivedAt }: StoredList, now: number): boolean {
  return receivedAt <= now && now - receivedAt < DAY;
}

/** Removes temporary files of killed runs. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => /^\.[0-9a-z]+\.tmp$/.test(one))) {
    const path = join(folder, name);
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > DAY) attempt(() => rmSync(path, { force: true }));
  }
}
