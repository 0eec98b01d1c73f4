/** `--partition`: a folder with one file for each period. Each appears whole, and is replaced whole, if its rows have changed. */
import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../../../base/context.ts";
import type { Destination } from "../interface.ts";
import { checkFree, checkUnchanged, type InspectedFolder, inspect } from "./inspect.ts";
import { folderOf, nameData } from "./partition.ts";
import { type Dataset, type DatasetRequest, type Done, putFiles } from "./put-files.ts";
import { formatCount, formatNumber } from "../../../base/phrases.ts";
import type { DescribedFile } from "../../package/descriptor.ts";
import { codeOf } from "../../../base/errors.ts";
import { removeLeftovers } from "../temporary.ts";
import { type FolderTarget, toFileError } from "../target.ts";
import { takeLock } from "../../../files/lock.ts";

/** @throws {EntsError} usage: the folder has data that this run would not replace; output: it cannot be read. */
export async function openDataset(request: DatasetRequest, context: Context): Promise<Destination> {
  const { output, target, options } = request;
  const found = await inspect(target);
  if (!options.update) checkFree(target.name, found);
  const dataset: Dataset = { request, found, fileName: nameData(output.formatName) };
  let size = 0;
  let wrote: string | undefined;
  return {
    get wrote() {
      return wrote;
    },
    get size() {
      return size;
    },
    put: (chunks, encoding, put = {}) =>
      useFolder({ ...dataset, target, process: context.process }, async () => {
        const done = await putFiles(dataset, { ...put, chunks, encoding }, context);
        size = done.bytes;
        wrote = describeWritten(done);
      }),
  };
}

/** In one line, which partitions a run has written. */
function describeWritten({ written, unchanged, withdrawn }: Done): string {
  const rows = formatCount(sumRows([...written, ...unchanged]), "row");
  const others = unchanged.length === 0 ? "" : `, ${formatNumber(unchanged.length)} unchanged`;
  const removed = withdrawn.length === 0 ? "" : `; removed ${describeFiles(withdrawn, "old file")}`;
  return `wrote ${describeFiles(
    written.map(({ path }) => path),
    "partition",
  )}${others}: ${rows}${removed}`;
}

function describeFiles(paths: readonly string[], what: string): string {
  const folders = paths.map(folderOf);
  const names = [...new Set([folders[0], folders.at(-1)])].join(" to ");
  return `${formatCount(folders.length, what)}${names === "" ? "" : ` (${names})`}`;
}

function sumRows(files: readonly DescribedFile[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}

interface Folder extends Pick<Context, "process"> {
  readonly target: FolderTarget;
  readonly found: InspectedFolder;
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

interface Locked {
  /** The lock file. */
  readonly path: string;
  /** What is written, and whether it is there already. */
  readonly name: string;
  readonly exists: boolean;
}

/** @throws {EntsError} output: another run holds the lock, or it cannot be made; the errors of the work. */
async function withLock({ path, name, exists }: Locked, process: Context["process"], work: () => Promise<void>): Promise<void> {
  const release = await takeLock({ path, guards: name, process }).catch((error: unknown) => {
    throw toFileError(error, name, exists);
  });
  try {
    await work();
  } finally {
    // If it cannot be removed, later runs take it for the lock of a process that has ended.
    await release().catch(() => {});
  }
}
