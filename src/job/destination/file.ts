import type { Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Context } from "../../base/context.ts";
import { formatHash, startHash } from "../../files/hash-file.ts";
import type { Sink } from "./interface.ts";
import { type FileTarget, toFileError } from "./target.ts";
import { openTemporary, removeLeftovers, type TemporaryFile } from "./temporary.ts";

export interface FileSink extends Sink {
  /** The temporary file. */
  readonly file: FileHandle;
  /** Removes all that was written. */
  readonly restart: () => Promise<void>;
}

export interface FileSinkOptions {
  /** Called with the bytes of the complete file; where it throws, the old file stays. */
  readonly check?: ((bytes: number) => void) | undefined;
  /** By default, nothing. */
  readonly begun?: Begun | undefined;
  /** Describes the complete file before it takes its place; the description takes its own right after. */
  readonly describe?: Describe | undefined;
}

/** What the file begins with. */
export interface Begun {
  readonly temporary: TemporaryFile;
  /** Unfinished. */
  readonly hash: Hash;
}

/** Writes the description of a file to another file, complete but not in its place yet. @throws {EntsError} output. */
export type Describe = (file: { readonly bytes: number; readonly hash: string }) => Promise<Finished>;

/** A complete file that is not in its place yet. */
export interface Finished {
  readonly place: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

/**
 * A sink on a file: writes a temporary file beside it and renames that over it at `commit`.
 * @throws {EntsError} output: it cannot be written; checked before the first byte.
 */
export async function openFileSink(
  { name, path, old }: FileTarget,
  process: Context["process"],
  options: FileSinkOptions = {},
): Promise<FileSink> {
  const { begun, describe } = options;
  let hash = describe && (begun?.hash ?? startHash());
  const fail = (error: unknown): never => {
    throw toFileError(error, name, old !== undefined);
  };
  if (!begun) await removeLeftovers(path, process);
  const { file, write, finish, place, discard } = begun?.temporary ?? (await openTemporary(path, { old, process }).catch(fail));
  return {
    file,
    restart: async () => {
      await file.truncate(0).catch(fail);
      hash &&= startHash();
    },
    write: (part) => {
      hash?.update(part);
      return write(part).catch(fail);
    },
    commit: async () => {
      const { size } = await file.stat();
      options.check?.(size);
      await finish().catch(fail);
      const description = hash && (await describe?.({ bytes: size, hash: formatHash(hash) }));
      await place(path).catch(async (error: unknown) => {
        await description?.discard();
        fail(error);
      });
      await description?.place();
      await syncDirectory(dirname(path));
    },
    discard,
  };
}

/** Makes the rename survive a power cut, where the platform supports it. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r").catch(() => undefined);
  await directory?.sync().catch(() => {});
  await directory?.close().catch(() => {});
}
