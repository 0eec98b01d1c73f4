/** Writes the files of partitions, each to a temporary one that is complete on the disk before any takes its place. */
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../../../base/context.ts";
import { type Encoding, layOutChunks, openEncoder } from "../../../format/encode.ts";
import type { EncodedParts } from "../../../format/format.ts";
import type { RowLayout } from "../../../series/layout/layout.ts";
import type { Chunk } from "../../../series/merge.ts";
import { findOffsetMs } from "../../../series/network-offset.ts";
import { countPoints } from "../../../series/overlap.ts";
import type { DescribedFile } from "../../package/descriptor.ts";
import { openTemporary, removeLeftovers, type TemporaryFile } from "../temporary.ts";
import { type FolderTarget, toFileError } from "../target.ts";
import { listFolders, nameFile, splitPartitions } from "./partition.ts";

export interface WrittenFile extends DescribedFile {
  readonly temporary: TemporaryFile;
}

export interface WrittenFiles {
  readonly files: readonly WrittenFile[];
  /** The layout of all of them. */
  readonly layout: RowLayout;
  /** Milliseconds by which network time is ahead of UTC. */
  readonly offset: number;
}

export interface WriteOptions extends Pick<Context, "process" | "signal"> {
  readonly target: FolderTarget;
  /** `data.parquet` */
  readonly fileName: string;
  /** Files that stay. */
  readonly current: readonly DescribedFile[];
  readonly encoding: Encoding;
  readonly network: string;
}

/** One file at a time is open. @throws {EntsError} output; the errors of `chunks` and of their encoding. Then no file is left. */
export async function writeFiles(chunks: AsyncIterable<Chunk>, options: WriteOptions): Promise<WrittenFiles> {
  const { encoding, target, fileName, network } = options;
  const current = new Set(options.current.map(({ path }) => path));
  const files: WrittenFile[] = [];
  let offset: number | undefined;
  let open: { readonly path: string; readonly file: OpenFile } | undefined;
  let layout: RowLayout | undefined;
  const close = async () => {
    if (open) files.push(await open.file.finish());
    open = undefined;
  };
  try {
    for await (const { chunk, layout: columns } of layOutChunks(chunks, encoding)) {
      const problem = chunk.unknown?.problem ?? chunk.incomplete;
      if (problem) throw problem;
      layout = columns;
      if (countPoints(chunk.timeSeries) > 0) offset ??= findOffsetMs(network, chunk.timeSeries) ?? 0;
      for (const { start, timeSeries } of splitPartitions(chunk.timeSeries, target.period, offset ?? 0)) {
        const path = nameFile(target.period, start, fileName);
        if (current.has(path)) continue;
        if (path !== open?.path) {
          await close();
          open = { path, file: await openFile(path, layout, options) };
        }
        // What is told of answers is in the description of all: a file is the same as long as its rows are.
        await open.file.add({ ...chunk, heads: [], timeSeries }, layout);
      }
    }
    await close();
    return { files, layout: layout as RowLayout, offset: offset ?? 0 };
  } catch (error) {
    await open?.file.discard();
    await discardFiles(files);
    throw error;
  }
}

export async function discardFiles(files: readonly WrittenFile[]): Promise<void> {
  for (const { temporary } of files) await temporary.discard().catch(() => {});
}

/** The innermost folder of a path that is there: it may be a link to another disk, to which no file can be renamed from here. */
async function findFolder(root: string, path: string): Promise<string> {
  for (const folder of listFolders(path)) {
    const status = await stat(join(root, folder)).catch(() => undefined);
    if (status?.isDirectory()) return join(root, folder);
  }
  return root;
}

interface OpenFile {
  readonly add: (chunk: Chunk, layout: RowLayout) => Promise<void>;
  readonly finish: () => Promise<WrittenFile>;
  readonly discard: () => Promise<void>;
}

async function openFile(path: string, columns: RowLayout, options: WriteOptions): Promise<OpenFile> {
  const { target, fileName, encoding, process, signal } = options;
  const isWide = encoding.layout.shape === "wide";
  const hash = createHash("sha256");
  let [bytes, rows] = [0, 0];
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
  // A killed run may have left them in an outer folder, if the inner one did not exist yet.
  for (const folder of listFolders(path)) await removeLeftovers(join(target.path, folder, fileName), process);
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
    add: async (chunk, layout) => {
      if (!isWide) onRows(countPoints(chunk.timeSeries));
      await write(encoder.write(chunk, layout));
    },
    finish: async () => {
      await write(encoder.end());
      await temporary.finish().catch(fail);
      return { path, bytes, rows, hash: `sha256:${hash.digest("hex")}`, temporary };
    },
    discard: () => temporary.discard().catch(() => {}),
  };
}
