/** Reads the segments once, for what must be known before the output is written. */
import type { SegmentQuery } from "../../store/segments.ts";
import { removeWindow } from "../../plan/request-path.ts";
import type { Gaps } from "../../series/gaps.ts";
import { addColumns, type KnownColumns, startColumns } from "../../series/layout/columns.ts";
import { countValues, findLastInstant } from "../../series/overlap.ts";
import { createFetchAcrossGap, createGaps } from "../../source/fetch-series.ts";
import { countResponses } from "../progress.ts";
import type { FileJob } from "../job.ts";
import { decideOpenGaps, survey } from "../gather.ts";
import type { Journal } from "../../store/journal.ts";
import type { KeptFiles } from "../destination/interface.ts";
import type { StoredSegment } from "./open-segments.ts";
import type { Unchanged } from "./unchanged-files.ts";
import { readSegments } from "./read-segments.ts";

export interface GatheredSegments {
  readonly columns: KnownColumns;
  readonly gaps: Gaps;
  /** By the name of the segment. */
  readonly values: ReadonlyMap<string, SegmentValues>;
  /** The instant of the last point of all; -Infinity without points. */
  readonly lastOfSegments: number;
  /** What a dataset keeps as it is. */
  readonly kept?: KeptFiles | undefined;
  /** Names of segments that lack a series which those before and after them have. */
  readonly missingSeries: readonly string[];
  /** What a request across a gap showed; undefined if none was made. */
  readonly fillsGaps: boolean | undefined;
}

/** Numbers of values. */
interface SegmentValues {
  /** Up to the last point of the output before. */
  readonly before: number;
  /** In the output. */
  readonly written: number;
}

export interface Gathering {
  /** To be read. */
  readonly periods: readonly (readonly StoredSegment[])[];
  /** What need not be read; undefined if all is. */
  readonly unchanged?: Unchanged | undefined;
  readonly query: SegmentQuery;
  /** True if the service may be asked across a gap. */
  readonly asks: boolean;
  /** The instant of the last point of the output before. */
  readonly last: number;
}

/** @throws {Damaged} a stored response cannot be read. */
export async function gatherSegments(
  { periods, unchanged, query, asks, last }: Gathering,
  job: FileJob,
): Promise<GatheredSegments> {
  const { folder, plan, service, progress, options, output, context } = job;
  const { concurrency } = options;
  const gaps = createGaps({ ...plan, query, windows: [{ window: unchanged?.longest ?? query.window, requests: [] }] });
  // What is not read is as it was.
  const values = new Map(unchanged ? listNoted(periods, folder.journal) : []);
  gaps.evidence.assume(unchanged?.fillsGaps);
  let lastOfSegments = Number.NEGATIVE_INFINITY;
  const onSegment: Parameters<typeof readSegments>[1]["onSegment"] = (
    { wholeName: segment },
    { values: count, decoded: { timeSeries } },
    part,
  ) => {
    const { before, written } = values.get(segment) ?? { before: 0, written: 0 };
    lastOfSegments = Math.max(lastOfSegments, findLastInstant(timeSeries));
    unchanged?.observe(part);
    values.set(segment, {
      before: before + countValues(timeSeries, last + 1),
      written: written + (part.timeSeries === timeSeries ? count : countValues(part.timeSeries)),
    });
  };
  const none = startColumns(query.metrics, { interval: query.interval, pivot: output.layout.pivot });
  const start = unchanged ? addColumns(none, unchanged.series) : none;
  const windows = readSegments(periods, { folder, query, concurrency, context, onSegment });
  const { columns, open } = await survey(windows, { gaps, columns: start, query, units: output.formatOptions.units });
  const source = countResponses(service.client, progress);
  const limits = { interval: query.interval, maxWindow: plan.limits?.maxWindow };
  const across = createFetchAcrossGap({ ...plan, query, limits }, { source, signal: context.signal });
  const fills =
    asks && gaps.evidence.fills === undefined ? await decideOpenGaps(open, gaps.evidence, across) : undefined;
  if (gaps.evidence.fills === undefined) gaps.evidence.assume(folder.journal.fillsGaps);
  const lacks = ({ from, until, request: { path } }: StoredSegment) =>
    open.some((gap) => removeWindow(gap.path) === removeWindow(path) && gap.from <= from && until <= gap.to);
  const missingSeries = periods
    .flat()
    .filter(lacks)
    .map(({ name }) => name);
  return {
    columns,
    gaps,
    values,
    lastOfSegments,
    missingSeries: [...new Set([...(unchanged ? folder.journal.missingSeries : []), ...missingSeries])],
    fillsGaps: fills,
    kept: unchanged?.finish(),
  };
}

/** The numbers of values of segments that are not read. */
function listNoted(read: Gathering["periods"], journal: Journal): [string, SegmentValues][] {
  const names = new Set(read.flat().map(({ wholeName }) => wholeName));
  return [...journal.values].flatMap(([name, count]) =>
    names.has(name) ? [] : [[name, { before: count, written: count }]],
  );
}
