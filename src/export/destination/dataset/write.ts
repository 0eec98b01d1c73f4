/**
 * Writes each partition to a temporary file, unless it is there already. All are complete before the first one is moved
 * into place.
 */
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../../../base/context.ts";
import { formatHash, hasContent } from "../../../files/hash-file.ts";
import { type Encoding, layOutChunks, openEncoder } from "../../../format/encode.ts";
import type { EncodedParts } from "../../../format/format.ts";
import type { RowLayout } from "../../../series/layout/layout.ts";
import type { Chunk } from "../../../series/merge.ts";
import { findOffsetMs } from "../../../series/time-series.ts";
import { countPoints, countValues } from "../../../series/overlap.ts";
import type { DescribedFile } from "../../package/descriptor.ts";
import { openTemporary, removeLeftovers, type TemporaryFile } from "../../../files/temporary.ts";
import { type FolderTarget, toFileError } from "../target.ts";
import { listParents, nameFile, splitPartitions } from "./partition.ts";

export interface WrittenFile extends DescribedFile {
  /** Undefined if the file on disk has the same bytes. */
  readonly temporary: TemporaryFile | undefined;
}

interface WriteOptions extends Pick<Context, "process" | "signal"> {
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
export async function writeFiles(
  chunks: AsyncIterable<Chunk>,
  options: WriteOptions,
): Promise<{ readonly files: readonly WrittenFile[]; readonly offset: number }> {
  const { encoding, target, fileName, network } = options;
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

export async function discardFiles(files: readonly WrittenFile[]): Promise<void> {
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
