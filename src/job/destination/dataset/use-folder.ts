import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../../../base/context.ts";
import { codeOf } from "../../../base/errors.ts";
import { removeLeftovers } from "../temporary.ts";
import { type FolderTarget, toFileError } from "../target.ts";
import { withLock } from "../with-lock.ts";
import { checkUnchanged, type Found } from "./inspect.ts";

interface Folder extends Pick<Context, "process"> {
  readonly target: FolderTarget;
  readonly found: Found;
  readonly fileName: string;
}

/** Works in the folder of a dataset, alone. Makes it where it is missing. @throws {EntsError} output: another run works there. */
export async function useFolder({ target, found, fileName, process }: Folder, work: () => Promise<void>): Promise<void> {
  const { name, path } = target;
  const fail = (error: unknown): never => {
    throw toFileError(error, name);
  };
  const isNew = await makeFolder(path).catch(fail);
  try {
    await withLock({ path: join(path, ".ents-lock"), name, exists: false }, process, async () => {
      await checkUnchanged(target, found);
      await removeLeftovers(join(path, fileName), process);
      await work();
    });
  } finally {
    // Fails where something is in it.
    if (isNew) await rmdir(path).catch(() => {});
  }
}

/** Not its parents. Whether it was missing. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}
