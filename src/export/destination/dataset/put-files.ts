/** Writes the files of a dataset, and moves those that have changed into place when all are complete. */
import { stat, mkdir, rm, rmdir } from "node:fs/promises";
import { join, dirname } from "node:path";
import type { JsonObject } from "../../../base/json.ts";
import type { Context } from "../../../base/context.ts";
import type { Encoding } from "../../../format/encode.ts";
import type { Chunk } from "../../../series/merge.ts";
import { formatOffset, MINUTE } from "../../../time/local-time.ts";
import type { Prepared } from "../../prepared.ts";
import { addObservers } from "../../observe.ts";
import { describeResult, ResultLog } from "../../package/describe-result.ts";
import type { DescribedFile } from "../../package/descriptor.ts";
import { placeAfter, type PutOptions, writeAll } from "../interface.ts";
import { type FolderTarget, toFileError } from "../target.ts";
import { discardFiles, type WrittenFile, writeFiles } from "./write.ts";
import { EntsError } from "../../../base/errors.ts";
import { openFileSink, syncDirectory } from "../file.ts";
import { DESCRIPTOR, listParents } from "./partition.ts";

export interface DatasetRequest extends Prepared {
  readonly target: FolderTarget;
}

interface PartitionInput extends PutOptions {
  readonly chunks: AsyncIterable<Chunk>;
  readonly encoding: Encoding;
  /** The files of the dataset before this run. */
  readonly old: readonly DescribedFile[];
  /** `data.parquet` */
  readonly fileName: string;
}

/** The outcome for the files of a dataset. */
export interface Done {
  readonly written: readonly DescribedFile[];
  readonly unchanged: readonly DescribedFile[];
  /** Paths of files that no longer have rows. */
  readonly withdrawn: readonly string[];
  /** Total size of all files. */
  readonly bytes: number;
}

export async function putFiles(request: DatasetRequest, input: PartitionInput): Promise<Done> {
  const { chunks, encoding, old, fileName, beforePlace } = input;
  const { target, provenance, context } = request;
  const log = new ResultLog();
  const watched = addObservers(encoding, log);
  const options = { ...context, target, fileName, network: provenance.query.network, encoding: watched };
  const { files, offset } = await writeFiles(chunks, options);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const describe = (described: readonly DescribedFile[], unfinished: JsonObject = {}) =>
    describeResult(request, {
      log,
      gaps: encoding.gaps,
      files: described.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      more: { utc_offset: formatOffset(offset / MINUTE), ...unfinished },
    });
  try {
    const unchanged = files.filter(({ temporary }) => temporary === undefined);
    const written = files.filter(({ temporary }) => temporary !== undefined);
    const paths = new Set(files.map(({ path }) => path));
    const obsolete = old.filter(({ path }) => !paths.has(path));
    const isChanged = written.length > 0 || obsolete.length > 0;
    const unfinished = isChanged ? describe([...files, ...obsolete], { unfinished: true }) : undefined;
    const withdrawn = obsolete.map(({ path }) => path);
    const replacement = { files: written, withdrawn, unfinished, finished: describe(files) };
    await placeAfter(await beforePlace?.({ bytes, hash: "" }), async () => {
      if (files.length > 0 || withdrawn.length > 0) await placeFiles(target, replacement, context.process);
    });
    return { written, unchanged, withdrawn, bytes };
  } catch (error) {
    await discardFiles(files);
    throw error;
  }
}

interface Replacement {
  readonly files: readonly WrittenFile[];
  /** Paths of files that are no longer part of the dataset. */
  readonly withdrawn: readonly string[];
  /** The description while files are being replaced; undefined if none are. A run that finds it replaces them again. */
  readonly unfinished: string | undefined;
  /** The description once all files are in place. */
  readonly finished: string;
}

/** At any instant, each file is the old or the new one, even if the run is killed. @throws {EntsError} output. */
async function placeFiles(target: FolderTarget, replacement: Replacement, process: Context["process"]): Promise<void> {
  const { unfinished, finished } = replacement;
  if (unfinished !== undefined) await writeDescription(target, unfinished, process);
  try {
    await replaceFiles(target, replacement);
    await writeDescription(target, finished, process);
  } catch (error) {
    const { message, cause } = toFileError(error, target.name);
    throw new EntsError("output", message, {
      cause,
      hint: "some of its files may be old, others new; run the command again to finish",
    });
  }
}

async function replaceFiles({ name, path: root }: FolderTarget, { files, withdrawn }: Replacement): Promise<void> {
  for (const { path, temporary } of files) {
    const to = join(root, path);
    try {
      await mkdir(dirname(to), { recursive: true });
      await temporary?.place(to);
    } catch (error) {
      throw toFileError(error, `${name}/${path}`);
    }
  }
  for (const path of withdrawn) await removeFile(root, path);
  const changed = [...files.map(({ path }) => path), ...withdrawn];
  for (const folder of new Set(changed.flatMap(listParents))) await syncDirectory(join(root, folder));
}

/** Removes a file and its folders, unless something else is in them. */
async function removeFile(root: string, path: string): Promise<void> {
  await rm(join(root, path), { force: true });
  try {
    for (const folder of listParents(path)) if (folder !== ".") await rmdir(join(root, folder));
  } catch {
    // The folder is not empty.
  }
}

async function writeDescription(
  { name, path }: FolderTarget,
  text: string,
  process: Context["process"],
): Promise<void> {
  const file = join(path, DESCRIPTOR);
  const old = await stat(file).catch(() => undefined);
  await writeAll(await openFileSink({ kind: "file", name: `${name}/${DESCRIPTOR}`, path: file, old }, process), [text]);
}
