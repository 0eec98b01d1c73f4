/** Puts the finished files of a dataset in their places, one right after the other. */
import { mkdir, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Context } from "../../../base/context.ts";
import { EntsError } from "../../../base/errors.ts";
import { openFileSink, syncDirectory } from "../file.ts";
import { writeAll } from "../interface.ts";
import { type FolderTarget, toFileError } from "../target.ts";
import { listFolders } from "./partition.ts";
import type { WrittenFile } from "./write.ts";

export const DESCRIPTOR = "datapackage.json";

export interface Replacement {
  readonly files: readonly WrittenFile[];
  /** Paths of files that are no longer part of it. */
  readonly withdrawn: readonly string[];
  /** The description while files are being replaced, where some are: a run that finds it replaces them again. */
  readonly unfinished: string | undefined;
  /** After that. */
  readonly finished: string;
}

/** Each file is the old or the new one at any instant, also when killed. @throws {EntsError} output. */
export async function placeFiles(target: FolderTarget, replacement: Replacement, process: Context["process"]): Promise<void> {
  const { unfinished, finished } = replacement;
  if (unfinished !== undefined) await writeDescription(target, unfinished, process);
  try {
    await replaceFiles(target, replacement);
    await writeDescription(target, finished, process);
  } catch (error) {
    const { message, cause } = toFileError(error, target.name);
    throw new EntsError("output", message, { cause, hint: "some of its files may be old, others new; run the command again to finish" });
  }
}

async function replaceFiles({ name, path: root }: FolderTarget, { files, withdrawn }: Replacement): Promise<void> {
  for (const { path, temporary } of files) {
    const to = join(root, path);
    try {
      await mkdir(dirname(to), { recursive: true });
      await temporary.place(to);
    } catch (error) {
      throw toFileError(error, `${name}/${path}`);
    }
  }
  for (const path of withdrawn) await removeFile(root, path);
  const changed = [...files.map(({ path }) => path), ...withdrawn];
  for (const folder of new Set(changed.flatMap(listFolders))) await syncDirectory(join(root, folder));
}

async function writeDescription({ name, path }: FolderTarget, text: string, process: Context["process"]): Promise<void> {
  const file = join(path, DESCRIPTOR);
  const old = await stat(file).catch(() => undefined);
  await writeAll(await openFileSink({ kind: "file", name: `${name}/${DESCRIPTOR}`, path: file, old }, process), [text]);
}

/** Removes its folders too, unless something else is in them. */
async function removeFile(root: string, path: string): Promise<void> {
  await rm(join(root, path), { force: true });
  try {
    for (const folder of listFolders(path)) if (folder !== ".") await rmdir(join(root, folder));
  } catch {
    // Not empty: something else is in it.
  }
}
