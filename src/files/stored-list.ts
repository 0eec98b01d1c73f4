/**
 * Lists of a service, stored on disk for later runs. A file that is damaged, or of another service or version is
 * ignored.
 */
import { readFileSync, statSync } from "node:fs";
import { platform } from "node:os";
import { dirname, resolve } from "node:path";
import { attempt } from "../base/errors.ts";
import type { Context } from "../base/context.ts";
import { DAY } from "../time/local-time.ts";
import { findCacheDirectory, makeFolder } from "./folders.ts";

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
  readonly isWhole: (stored: Partial<T>) => boolean | undefined;
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
      const stored = JSON.parse(readFileSync(path, "utf8")) as Partial<T> & {
        readonly version: number;
        readonly service: string;
      };
      const isOurs = stored.version === version && stored.service === service && typeof stored.receivedAt === "number";
      return isOurs && isWhole(stored) ? (stored as unknown as T) : undefined;
    });
  }

  /** Stores a list. Ignores errors: the next run fetches the list again. */
  async store(service: string, list: T, around: Around & Pick<Context, "process">): Promise<void> {
    const path = this.#locate(service, around);
    if (path === undefined) return;
    // Loaded late: a small request stores no list.
    const { removeLeftovers, writeWhole } = await import("./temporary.ts");
    try {
      makeFolder(dirname(path));
      await removeLeftovers(path, around.process);
      await writeWhole(path, JSON.stringify({ version: this.#kind.version, service, ...list }), {
        mode: 0o600,
        process: around.process,
      });
    } catch {
      // The path of the folder may be a file.
    }
  }

  #locate(service: string, { env, cwd }: Around): string | undefined {
    const directory = findCacheDirectory(env, platform());
    return (
      directory && resolve(cwd, directory, this.#kind.folder, `${encodeURIComponent(service).slice(0, MAX_NAME)}.json`)
    );
  }
}

/** True if it was received in the last 24 hours. */
export function isLessThanADayOld({ receivedAt }: StoredList, now: number): boolean {
  return receivedAt <= now && now - receivedAt < DAY;
}
