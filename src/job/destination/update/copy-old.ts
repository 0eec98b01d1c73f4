/** The old file is read once, before the first request: for its hash, and for the copy that the new rows are written into. */
import { constants } from "node:fs";
import { copyFile, open } from "node:fs/promises";
import type { Context } from "../../../base/context.ts";
import { type HashedFile, hashFile } from "../../../files/hash-file.ts";
import type { Begun } from "../file.ts";
import { type FileTarget, toFileError } from "../target.ts";
import { type Create, openTemporary, removeLeftovers, type TemporaryFile } from "../temporary.ts";
import { readState, withFile } from "./old-file.ts";

export interface OldCopy {
  /** The state of the file before its first byte was read, to detect a later change. */
  readonly state: string;
  readonly hash: string;
  /** A temporary file with the first `bytes` bytes of the file: the copy itself the first time, then a new copy. */
  readonly take: (bytes: number) => Promise<Begun>;
  /** Removes the copy, unless it has been taken. */
  readonly discard: () => Promise<void>;
}

type Surroundings = Pick<Context, "process" | "signal">;

/** `isDry`: nothing is written. @throws {EntsError} output; the reason of the signal. */
export async function copyOld(target: FileTarget, context: Surroundings, isDry: boolean): Promise<OldCopy> {
  const { state, hashed, temporary } = await withFile(target, async (file) => ({
    state: await readState(file),
    ...(isDry ? { hashed: await hashFile(target.path, context.signal), temporary: undefined } : await copyAndHash(target, context)),
  }));
  let copy = temporary && { hashed, temporary };
  return {
    state,
    hash: hashed.hash,
    take: async (bytes) => {
      const taken = copy ?? (await withFile(target, () => copyAndHash(target, context)));
      copy = undefined;
      try {
        await taken.temporary.file.truncate(bytes);
        return { temporary: taken.temporary, hash: await withFile(target, () => taken.hashed.startOf(bytes)) };
      } catch (error) {
        await taken.temporary.discard().catch(() => {});
        throw toFileError(error, target.name, true);
      }
    },
    discard: async () => {
      await copy?.temporary.discard();
      copy = undefined;
    },
  };
}

interface Copied {
  readonly hashed: HashedFile;
  readonly temporary: TemporaryFile;
}

/**
 * Each part that is read is hashed here while the system writes it and reads the next one, unless the disk can share the
 * blocks of the old file. The sync to the disk begins early, too.
 */
async function copyAndHash({ path, name, old }: FileTarget, { process, signal }: Surroundings): Promise<Copied> {
  const fail = (error: unknown): never => {
    throw toFileError(error, name, true);
  };
  await removeLeftovers(path, process);
  let isShared = false;
  const create: Create = async (to) => {
    isShared = await shareBlocks(path, to);
    return open(to, isShared ? "a+" : "ax+");
  };
  const temporary = await openTemporary(path, { old, process, create }).catch(fail);
  let unsynced = 0;
  const copyPart = async (part: Uint8Array) => {
    await temporary.write(part).catch(fail);
    unsynced += part.length;
    if (unsynced < SYNC_BYTES) return;
    temporary.startSync();
    unsynced = 0;
  };
  try {
    const hashed = await hashFile(path, signal, isShared ? undefined : copyPart);
    temporary.startSync();
    return { hashed, temporary };
  } catch (error) {
    await temporary.discard().catch(() => {});
    throw error;
  }
}

const SYNC_BYTES = 64 * 1024 * 1024;

/** False where the disk cannot share blocks. Any other error shows when the parts are written. */
function shareBlocks(from: string, to: string): Promise<boolean> {
  return copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  );
}
