import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Context } from "../../base/context.ts";
import { formatHash, hasContent } from "../../files/hash-file.ts";
import { type CompleteOutput, placeAfter, type PutOptions, type Sink } from "./interface.ts";
import { type FileTarget, toFileError } from "./target.ts";
import { syncFile, openTemporary, removeLeftovers } from "../../files/temporary.ts";

/** Called when a file is complete but not in place yet; if one throws, the old file stays. */
export interface FileHooks {
  /** Called with the size of the complete file in bytes. */
  readonly check?: (bytes: number) => void;
  /** Describes the file; the description is moved into place right after the file. */
  readonly describe?: DescribeFile | undefined;
  readonly beforePlace?: PutOptions["beforePlace"];
}

/**
 * Writes the description of a file to another file, which is complete but not in place yet. @throws {EntsError} output.
 */
export type DescribeFile = (file: CompleteOutput) => Promise<Finished>;

/** A complete file that is not in place yet. */
interface Finished {
  readonly place: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

/**
 * Opens a sink that writes a temporary file next to the file and renames it over the file on `commit`.
 * @throws {EntsError} output: it cannot be written; checked before the first byte.
 */
export async function openFileSink(
  { name, path, old }: FileTarget,
  process: Context["process"],
  hooks: FileHooks = {},
): Promise<Sink> {
  const { check, describe, beforePlace } = hooks;
  const hash = (describe ?? beforePlace) && createHash("sha256");
  const fail = (error: unknown): never => {
    throw toFileError(error, name, old !== undefined);
  };
  await removeLeftovers(path, process);
  const { write, measure, finish, place, discard } = await openTemporary(path, { old, process }).catch(fail);
  return {
    write: (part) => {
      hash?.update(part);
      return write(part).catch(fail);
    },
    commit: async () => {
      const bytes = await measure();
      check?.(bytes);
      await finish().catch(fail);
      const file = { bytes, hash: hash ? formatHash(hash) : "" };
      const description = await describe?.(file);
      try {
        await placeAfter(await beforePlace?.(file), async () => {
          // An update leaves a file that has the same bytes as it is.
          if (beforePlace && (await hasContent(path, file))) await discard();
          else await place(path).catch(fail);
        });
      } catch (error) {
        await description?.discard();
        throw error;
      }
      await description?.place();
      await syncDirectory(dirname(path));
    },
    discard,
  };
}

/** Makes renames survive a power cut, if the platform supports it. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r").catch(() => undefined);
  if (directory) await syncFile(directory).catch(() => {});
  await directory?.close().catch(() => {});
}
