/** Writes what came as files of a dataset, and puts them in their places when all are complete. */
import { formatCount } from "../../../base/numbers.ts";
import type { Context } from "../../../base/context.ts";
import { type Encoding, nameColumns } from "../../../format/encode.ts";
import type { About } from "../../../format/format.ts";
import type { UpkeepValues } from "../../../options/upkeep-options.ts";
import type { Query } from "../../../query/query.ts";
import { addColumns, startColumns } from "../../../series/layout/columns.ts";
import { createLayout } from "../../../series/layout/create-layout.ts";
import type { Layout } from "../../../series/layout/layout.ts";
import type { Chunk } from "../../../series/merge.ts";
import { formatInstant, type LoggedSeries } from "../../../series/series-log.ts";
import { formatLocalTime, formatOffset, MINUTE } from "../../../time/local-time.ts";
import { type Output, printsAsSent } from "../../output.ts";
import { describeResult } from "../../package/describe-result.ts";
import type { DescribedFile } from "../../package/descriptor.ts";
import { listKeptSeries } from "../../package/kept.ts";
import { ResultLog } from "../../package/result-log.ts";
import type { More } from "../interface.ts";
import { NeedsMore } from "../needs-more.ts";
import type { FolderTarget } from "../target.ts";
import type { Extent } from "./extent.ts";
import type { Found } from "./inspect.ts";
import { readFolder } from "./partition.ts";
import { placeFiles } from "./place.ts";
import { dropBefore } from "../continue/drop-before.ts";
import { KeptWatch } from "../continue/kept-watch.ts";
import { nothingCame } from "../bad-night.ts";
import { toItems } from "../continue/known-columns.ts";
import { discardFiles, type WrittenFiles, writeFiles } from "./write.ts";

export interface DatasetRequest {
  readonly query: Query;
  readonly output: Output;
  readonly target: FolderTarget;
  readonly options: Pick<UpkeepValues, "update" | "revise">;
  readonly about: About;
  readonly more: More;
}

export interface Dataset {
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

/** The files that were written, replaced and removed; undefined where nothing came: then all is unchanged. */
export async function putFiles(dataset: Dataset, { chunks, encoding }: Input, context: Context) {
  const { request, found, extent, fileName } = dataset;
  const kept = findKept(dataset);
  const keptSeries = listKeptSeries(kept);
  const log = new ResultLog(kept);
  const { more, query } = request;
  const { denied } = more;
  const watch =
    kept && new KeptWatch(request.target.name, { ...kept, isDescribed: true, from: kept.until, interval: query.interval, more });
  const written = await writeFiles(watch ? dropBefore(kept.until, chunks, watch) : chunks, {
    ...context,
    target: request.target,
    fileName,
    network: request.query.network,
    offset: found.descriptor?.offset,
    encoding: log.watch({ ...encoding, columns: addColumns(encoding.columns, toItems(keptSeries)) }),
  });
  const { files, layout, offset } = written;
  if (files.length === 0) {
    const lacking = sortFiles(dataset, files).withdrawn;
    const rows = lacking.reduce((sum, file) => sum + file.rows, 0);
    if (lacking.length > 0) throw nothingCame(request.target.name, formatCount(rows, "row"), "folder");
    return undefined;
  }
  try {
    const others = extent.from === undefined ? undefined : findOtherColumns(layout, found.descriptor?.series ?? [], encoding);
    if (others !== undefined && !denied) throw new NeedsMore(others, Number.NEGATIVE_INFINITY, { maxRequests: Number.POSITIVE_INFINITY });
    const old = sortFiles(dataset, files);
    const { told, again } = watch?.settle(encoding.gaps, findShrunk(old, files, offset)) ?? {};
    const warnings = [told?.text, others && denied && `${others}, because ${denied.why}`].filter((text) => text !== undefined);
    const describe = (all: readonly DescribedFile[], unfinished: boolean) =>
      describeResult({
        ...request,
        log,
        kept: kept && { ...kept, unlikeSince: told?.since, again },
        files: all.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
        more: {
          utc_offset: formatOffset(offset / MINUTE),
          ...(log.stampSuffix !== undefined && printsAsSent(request.output) ? { timestamps_end: log.stampSuffix } : {}),
          described_at: formatInstant(context.now()),
          ...(unfinished ? { unfinished: { from: extent.from === undefined ? null : formatLocalTime(extent.from) } } : {}),
        },
      });
    const withdrawn = old.withdrawn.map(({ path }) => path);
    const descriptions = [describe([...old.kept, ...old.withdrawn, ...files], true), describe([...old.kept, ...files], false)] as const;
    await placeFiles(request.target, { files, withdrawn, descriptions }, context.process);
    return { written: files, replaced: old.replaced, withdrawn, warnings };
  } catch (error) {
    await discardFiles(files);
    throw error;
  }
}

function findKept({ found: { descriptor }, extent: { from } }: Dataset) {
  if (!descriptor) return undefined;
  return {
    until: from === undefined ? Number.NEGATIVE_INFINITY : from - (descriptor.offset ?? 0),
    rows: 0,
    descriptor,
  };
}

/** How the columns of kept files differ from the new ones, for a warning; undefined where they do not. All files of a dataset should have the same. */
function findOtherColumns(layout: Layout, series: readonly LoggedSeries[], encoding: Encoding): string | undefined {
  const { format, layout: options, columns } = encoding;
  const { requested, interval } = columns;
  const known = addColumns(startColumns(requested, { interval, pivot: options.pivot }), toItems(series));
  const old = createLayout(options, known);
  if (nameColumns(layout, format) === nameColumns(old, format)) return undefined;
  const [was, now] = [old, layout].map((one) => one.columns.map(({ name }) => name)) as [string[], string[]];
  const added = now.filter((name) => !was.includes(name));
  const gone = was.filter((name) => !now.includes(name));
  const changes = [...(added.length > 0 ? [`lack ${added.join(", ")}`] : []), ...(gone.length > 0 ? [`also have ${gone.join(", ")}`] : [])];
  return `older files ${changes.join(" and ") || "have other types of columns"}`;
}

/** The start of the first file that has fewer rows than before, or is gone: values in it were withdrawn. */
function findShrunk(
  { replaced, withdrawn }: ReturnType<typeof sortFiles>,
  written: WrittenFiles["files"],
  offset: number,
): number | undefined {
  const rows = new Map(written.map((file) => [file.path, file.rows]));
  const shrunk = [...withdrawn, ...replaced].filter((old) => (rows.get(old.path) ?? 0) < old.rows);
  return shrunk.length === 0 ? undefined : Math.min(...shrunk.map(({ path }) => readFolder(path))) - offset;
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
