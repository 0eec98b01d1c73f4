/** Writes what came as files of a dataset, and puts those that have changed in their places when all are complete. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../../base/json.ts";
import type { Context } from "../../../base/context.ts";
import { hashFile } from "../../../files/hash-file.ts";
import type { Encoding } from "../../../format/encode.ts";
import type { Provenance } from "../../../format/format.ts";
import type { UpkeepValues } from "../../../options/upkeep-options.ts";
import type { Chunk } from "../../../series/merge.ts";
import { formatOffset, MINUTE } from "../../../time/local-time.ts";
import type { Output } from "../../output.ts";
import { describeResult } from "../../package/describe-result.ts";
import type { DescribedFile } from "../../package/descriptor.ts";
import { ResultLog } from "../../package/result-log.ts";
import type { PutOptions } from "../interface.ts";
import type { FolderTarget } from "../target.ts";
import type { InspectedFolder } from "./inspect.ts";
import { placeFiles } from "./place.ts";
import { discardFiles, type WrittenFile, writeFiles } from "./write.ts";

export interface DatasetRequest {
  readonly output: Output;
  readonly target: FolderTarget;
  readonly options: Pick<UpkeepValues, "update">;
  readonly provenance: Provenance;
}

export interface Dataset {
  readonly request: DatasetRequest;
  readonly found: InspectedFolder;
  /** `data.parquet` */
  readonly fileName: string;
}

interface Input extends PutOptions {
  readonly chunks: AsyncIterable<Chunk>;
  readonly encoding: Encoding;
}

/** What became of the files of a dataset. */
export interface Done {
  readonly written: readonly DescribedFile[];
  readonly unchanged: readonly DescribedFile[];
  /** Paths of files that have no rows any more. */
  readonly withdrawn: readonly string[];
  /** The bytes of all files. */
  readonly bytes: number;
}

export async function putFiles(
  { request, found, fileName }: Dataset,
  { chunks, encoding, beforePlace, current = [] }: Input,
  context: Context,
): Promise<Done> {
  const { target, provenance } = request;
  const log = new ResultLog();
  const options = { ...context, target, fileName, current, network: provenance.query.network, encoding: log.watch(encoding) };
  const { files, offset } = await writeFiles(chunks, options);
  const all = [...files, ...current];
  for (const { rows } of current) encoding.onRows?.(rows);
  const bytes = all.reduce((sum, file) => sum + file.bytes, 0);
  try {
    const unchanged = await findUnchanged(target, files, context.signal);
    const written = files.filter((file) => !unchanged.includes(file));
    const paths = new Set(all.map(({ path }) => path));
    const withdrawn = (found.descriptor?.files ?? []).filter(({ path }) => !paths.has(path));
    const describe = (described: readonly DescribedFile[], unfinished: JsonObject = {}) =>
      describeResult({
        ...request,
        log,
        files: described.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
        more: { utc_offset: formatOffset(offset / MINUTE), ...unfinished },
      });
    const gone = withdrawn.map(({ path }) => path);
    const isChanged = written.length > 0 || gone.length > 0;
    const unfinished = isChanged ? describe([...all, ...withdrawn], { unfinished: true }) : undefined;
    const finished = describe(all);
    await beforePlace?.({ bytes, hash: "" });
    if (paths.size > 0 || gone.length > 0)
      await placeFiles(target, { files: written, withdrawn: gone, unfinished, finished }, context.process);
    await discardFiles(unchanged);
    return { written, unchanged: [...unchanged, ...current], withdrawn: gone, bytes };
  } catch (error) {
    await discardFiles(files);
    throw error;
  }
}

/** The files that are on the disk already, byte for byte. */
async function findUnchanged({ path: root }: FolderTarget, files: readonly WrittenFile[], signal: AbortSignal): Promise<WrittenFile[]> {
  const unchanged: WrittenFile[] = [];
  for (const file of files) {
    const path = join(root, file.path);
    const status = await stat(path).catch(() => undefined);
    if (status?.size === file.bytes && (await hashFile(path, signal)).hash === file.hash) unchanged.push(file);
  }
  return unchanged;
}
