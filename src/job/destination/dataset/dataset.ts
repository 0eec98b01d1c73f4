/** `--partition`: a folder with one file for each period. Each appears whole, and is replaced whole. */
import type { Context } from "../../../base/context.ts";
import { usageError } from "../../../base/errors.ts";
import type { Report } from "../../../base/report.ts";
import { AnswerLog } from "../../../format/datapackage.ts";
import { type Encoding, nameColumns } from "../../../format/encode.ts";
import type { About } from "../../../format/format.ts";
import { describeFormat } from "../../../format/registry.ts";
import { QUERY_FLAGS } from "../../../options/query-options.ts";
import { UPKEEP_FLAGS, type UpkeepValues } from "../../../options/upkeep-options.ts";
import type { Query } from "../../../query/query.ts";
import { addColumns, startColumns } from "../../../series/layout/columns.ts";
import { createLayout } from "../../../series/layout/create-layout.ts";
import type { Layout } from "../../../series/layout/layout.ts";
import type { Chunk } from "../../../series/merge.ts";
import { type LoggedSeries, SeriesLog, toTimeSeries } from "../../../series/series-log.ts";
import { splitTimeSeries } from "../../../series/settle.ts";
import { approximateMs } from "../../../time/duration.ts";
import { formatLocalTime, formatOffset, MINUTE } from "../../../time/local-time.ts";
import type { Output } from "../../output.ts";
import { describeAsked, describeOutput } from "../../package/describe-output.ts";
import type { DescribedFile } from "../../package/descriptor.ts";
import { type Kept, listKeptSeries } from "../../package/kept.ts";
import { NeedsAll } from "../needs-all.ts";
import type { FolderTarget } from "../target.ts";
import { type Extent, findExtent } from "./extent.ts";
import { checkContinues, type Found, inspect } from "./inspect.ts";
import { readFolder } from "./partition.ts";
import { placeFiles } from "./place.ts";
import { describeUpdate } from "./report.ts";
import { useFolder } from "./use-folder.ts";
import { discardFiles, type WrittenFiles, writeFiles } from "./write.ts";

export interface DatasetRequest {
  readonly query: Query;
  readonly output: Output;
  readonly target: FolderTarget;
  readonly options: Pick<UpkeepValues, "update" | "revise">;
  readonly about: About;
  /** Whether an update fetches and writes all of it. */
  readonly whole: boolean;
}

/** @throws {EntsError} usage: the folder has data that this run would not continue; output: it cannot be read. */
export async function openDataset(request: DatasetRequest, context: Context, report: Pick<Report, "note">) {
  const { query, output, target, about, options, whole } = request;
  const { update, revise } = options;
  if (update && query.interval === undefined) {
    throw usageError(`${UPKEEP_FLAGS.update} needs ${QUERY_FLAGS.interval}`, "a service may choose another one for a shorter window");
  }
  const found = await inspect(target);
  const { descriptor } = found;
  if (descriptor) checkContinues(target.name, descriptor, { ...describeAsked(output, about), isUpdate: update });
  const extent =
    descriptor && update ? findExtent(query, descriptor, { period: target.period, revise, whole }) : { query, from: undefined };
  const dataset: Dataset = { request, found, extent, fileName: `data.${describeFormat(output.formatName).extensions[0]}` };
  let size = 0;
  return {
    query: extent.query,
    rewritable: true,
    settlesAfter: update ? approximateMs(revise) : 0,
    get size() {
      return size;
    },
    put: (chunks: AsyncIterable<Chunk>, encoding: Encoding) =>
      useFolder({ ...dataset, target, process: context.process }, async () => {
        const done = await putFiles(dataset, { chunks, encoding }, context);
        if (!done) return;
        size = done.written.reduce((sum, { bytes }) => sum + bytes, 0);
        if (descriptor) report.note(`${target.name}: ${describeUpdate(done)}`);
      }),
  };
}

interface Dataset {
  readonly request: DatasetRequest;
  readonly found: Found;
  readonly extent: Extent;
  /** `data.parquet` */
  readonly fileName: string;
}

interface Input {
  readonly chunks: AsyncIterable<Chunk>;
  readonly encoding: Encoding;
}

/** The files that were written, replaced and removed; undefined where nothing came: then all is as it was. */
async function putFiles(dataset: Dataset, { chunks, encoding }: Input, context: Context) {
  const { request, found, extent, fileName } = dataset;
  const kept = findKept(dataset);
  const keptSeries = listKeptSeries(kept);
  const log = { answers: new AnswerLog(), series: new SeriesLog(keptSeries) };
  const written = await writeFiles(kept ? dropBefore(chunks, kept.until) : chunks, {
    ...context,
    target: request.target,
    fileName,
    network: request.query.network,
    offset: found.descriptor?.offset,
    encoding: {
      ...encoding,
      columns: addColumns(encoding.columns, toTimeSeries(keptSeries)),
      onChunk: (chunk) => {
        log.answers.add(chunk.heads);
        log.series.add(chunk.timeSeries);
        encoding.onChunk?.(chunk);
      },
    },
  });
  const { files, layout, offset } = written;
  if (files.length === 0) return undefined;
  try {
    if (extent.from !== undefined) checkColumns(layout, found.descriptor?.series ?? [], encoding);
    const old = sortFiles(dataset, files);
    const describe = (all: readonly DescribedFile[], unfinished: boolean) =>
      describeOutput({
        ...request,
        ...log,
        columns: layout.columns,
        kept,
        files: all.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
        more: {
          utc_offset: formatOffset(offset / MINUTE),
          ...(unfinished ? { unfinished: { from: extent.from === undefined ? null : formatLocalTime(extent.from) } } : {}),
        },
      });
    const withdrawn = old.withdrawn.map(({ path }) => path);
    const descriptions = [describe([...old.kept, ...old.withdrawn, ...files], true), describe([...old.kept, ...files], false)] as const;
    await placeFiles(request.target, { files, withdrawn, descriptions }, context.process);
    return { written: files, replaced: old.replaced, withdrawn };
  } catch (error) {
    await discardFiles(files);
    throw error;
  }
}

function findKept({ found: { descriptor }, extent: { from } }: Dataset): Kept | undefined {
  if (!descriptor) return undefined;
  return { until: from === undefined ? Number.NEGATIVE_INFINITY : from - (descriptor.offset ?? 0), rows: 0, descriptor };
}

async function* dropBefore(chunks: AsyncIterable<Chunk>, instant: number): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) yield { ...chunk, timeSeries: splitTimeSeries(chunk.timeSeries, instant)[1] };
}

/** All files of a dataset have the same columns. @throws {NeedsAll} those that are kept have others. */
function checkColumns(layout: Layout, series: readonly LoggedSeries[], { format, layout: options, columns }: Encoding): void {
  const { requested, interval } = columns;
  const known = addColumns(startColumns(requested, { interval, pivot: options.pivot }), toTimeSeries(series));
  if (nameColumns(layout, format) !== nameColumns(createLayout(options, known), format)) throw new NeedsAll("the columns change");
}

/** The files of earlier runs, by what becomes of them. */
function sortFiles({ found, extent: { from } }: Dataset, written: WrittenFiles["files"]) {
  const old = found.descriptor?.files ?? [];
  const paths = new Set(written.map(({ path }) => path));
  const isKept = ({ path }: DescribedFile) => from !== undefined && readFolder(path) < from;
  const isReplaced = ({ path }: DescribedFile) => paths.has(path);
  return {
    kept: old.filter(isKept),
    replaced: old.filter(isReplaced),
    withdrawn: old.filter((file) => !isKept(file) && !isReplaced(file)),
  };
}
