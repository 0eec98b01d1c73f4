/** Writes the files of a dataset, and moves those that have changed into place when all are complete. */
import { stat, mkdir, rm, rmdir } from "node:fs/promises";
import { join, dirname } from "node:path";
import type { JsonObject } from "../../../base/json.ts";
import type { Context } from "../../../base/context.ts";
import { type Encoding, layOutChunks, openEncoder } from "../../../format/encode.ts";
import type { Chunk } from "../../../series/merge.ts";
import { formatOffset, MINUTE } from "../../../time/local-time.ts";
import type { PlannedJob } from "../../job.ts";
import { addObservers } from "../../observe.ts";
import { describeResult, ResultLog } from "../../package/describe-result.ts";
import type { DescribedFile } from "../../package/descriptor.ts";
import { placeAfter, type PutOptions, writeAll } from "../interface.ts";
import { type FolderTarget, toFileError } from "../target.ts";
import { EntsError } from "../../../base/errors.ts";
import { openFileSink, syncDirectory } from "../file.ts";
import { DESCRIPTOR, listParents, nameFile, splitPartitions } from "./partition.ts";
import { createHash } from "node:crypto";
import { formatHash, hasContent } from "../../../files/hash-file.ts";
import type { EncodedParts } from "../../../format/format.ts";
import type { RowLayout } from "../../../series/layout/layout.ts";
import { findOffsetMs } from "../../../series/time-series.ts";
import { countPoints, countValues } from "../../../series/overlap.ts";
import { openTemporary, removeLeftovers, type TemporaryFile } from "../../../files/temporary.ts";

interface PartitionInput extends PutOptions {
  readonly target: FolderTarget;
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

export async function putFiles(job: PlannedJob, input: PartitionInput): Promise<Done> {
  const { target, chunks, encoding, old, fileName, kept, beforePlace } = input;
  const { provenance, context } = job;
  const log = new ResultLog();
  const watched = addObservers(encoding, log);
  const options = { ...context, target, fileName, network: provenance.query.network, encoding: watched, kept };
  const { files, offset } = await writeFiles(chunks, options);
  for (const file of kept?.files.values() ?? []) {
    watched.onRows?.(file.rows);
    files.push({ ...file, temporary: undefined });
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const describe = (described: readonly DescribedFile[], unfinished: JsonObject = {}) =>
    describeResult(job, {
      log,
      gaps: encoding.gaps,
      files: described.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      more: { utc_offset: formatOffset(offset / MINUTE), ...unfinished },
      kept,
    });
  try {
    const unchanged = files.filter(({ temporary }) => temporary === undefined);
    const written = files.filter(({ temporary }) => temporary !== undefined);
    const paths = new Set(files.map(({ path }) => path));
    const obsolete = old.filter(({ path }) => !paths.has(path));
    const isChanged = written.length > 0 || obsolete.length > 0;
    const unfinished = isChanged ? describe([...files, ...obsolete], { unfinished: true }) : undefined;
    const withdrawn = obsolete.map(({ path }) => path);
    const finished = describe(files);
    const hash = formatHash(createHash("sha256").update(finished));
    const replacement = { files: written, withdrawn, unfinished, finished };
    await placeAfter(await beforePlace?.({ bytes, hash }), async () => {
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

interface WrittenFile extends DescribedFile {
  /** Undefined if the file on disk has the same bytes. */
  readonly temporary: TemporaryFile | undefined;
}

interface WriteOptions extends Pick<Context, "process" | "signal">, Pick<PutOptions, "kept"> {
  readonly target: FolderTarget;
  /** `data.parquet` */
  readonly fileName: string;
  readonly encoding: Encoding;
  readonly network: string;
}

/**
 * Keeps only one file open at a time. `offset`: milliseconds by which network time is ahead of UTC.
 * @throws {EntsError} output; the errors of `chunks` and of their encoding. In that case, no file is left.
 */
async function writeFiles(
  chunks: AsyncIterable<Chunk>,
  options: WriteOptions,
): Promise<{ readonly files: WrittenFile[]; readonly offset: number }> {
  const { encoding, target, fileName, network, kept } = options;
  const files: WrittenFile[] = [];
  let offset: number | undefined;
  let open: OpenFile | undefined;
  const close = async () => {
    if (open) files.push(await open.finish());
    open = undefined;
  };
  try {
    for await (const { chunk, layout } of layOutChunks(chunks, encoding)) {
      const problem = chunk.unknown?.problem ?? chunk.incomplete;
      if (problem) throw problem;
      if (countPoints(chunk.timeSeries) > 0) offset ??= findOffsetMs(network, chunk.timeSeries) ?? 0;
      for (const { start, timeSeries } of splitPartitions(chunk.timeSeries, target.period, offset ?? 0)) {
        const path = nameFile(target.period, start, fileName);
        if (kept?.files.has(path)) continue;
        if (path !== open?.path) {
          await close();
          open = await openPartition(path, layout, options);
        }
        // Facts about responses go into the description of the dataset, so that a file changes only if its rows do.
        await open.add({ ...chunk, heads: [], timeSeries }, layout);
      }
    }
    await close();
    return { files, offset: offset ?? 0 };
  } catch (error) {
    await open?.discard();
    await discardFiles(files);
    throw error;
  }
}

async function discardFiles(files: readonly WrittenFile[]): Promise<void> {
  for (const { temporary } of files) await temporary?.discard().catch(() => {});
}

/**
 * The innermost existing folder of a path. It may be a link to another disk, and files cannot be renamed across disks.
 */
async function findFolder(root: string, path: string): Promise<string> {
  for (const folder of listParents(path)) {
    const status = await stat(join(root, folder)).catch(() => undefined);
    if (status?.isDirectory()) return join(root, folder);
  }
  return root;
}

interface OpenFile {
  readonly path: string;
  readonly add: (chunk: Chunk, layout: RowLayout) => Promise<void>;
  readonly finish: () => Promise<WrittenFile>;
  readonly discard: () => Promise<void>;
}

async function openPartition(path: string, columns: RowLayout, options: WriteOptions): Promise<OpenFile> {
  const { target, fileName, encoding, process, signal } = options;
  const hash = createHash("sha256");
  let [bytes, rows, values] = [0, 0, 0];
  const onRows = (more: number) => {
    rows += more;
    encoding.onRows?.(more);
  };
  const encoder = openEncoder(columns, { ...encoding, onRows, provenance: undefined });
  const fail = (error: unknown): never => {
    throw toFileError(error, `${target.name}/${path}`);
  };
  const old = await stat(join(target.path, path)).catch(() => undefined);
  const place = join(await findFolder(target.path, path), fileName);
  // A killed run may have left temporary files in an outer folder, if the inner one did not exist then.
  for (const folder of listParents(path)) await removeLeftovers(join(target.path, folder, fileName), process);
  const temporary = await openTemporary(place, { old, process }).catch(fail);
  const write = async (parts: EncodedParts) => {
    for await (const part of parts) {
      signal.throwIfAborted();
      hash.update(part);
      bytes += Buffer.byteLength(part);
      await temporary.write(part).catch(fail);
    }
  };
  return {
    path,
    add: async (chunk, layout) => {
      values += countValues(chunk.timeSeries);
      await write(encoder.write(chunk, layout));
    },
    finish: async () => {
      await write(encoder.end());
      const file = { path, bytes, rows, values, hash: formatHash(hash) };
      const isUnchanged = await hasContent(join(target.path, path), file);
      await (isUnchanged ? temporary.discard() : temporary.finish()).catch(fail);
      return { ...file, temporary: isUnchanged ? undefined : temporary };
    },
    discard: () => temporary.discard().catch(() => {}),
  };
}
