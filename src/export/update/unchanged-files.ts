/**
 * The files of a dataset that an update leaves as they are, so that what they are made from is neither decoded nor written
 * again. They are those of times in which no stored response has changed since the last run, if all else that decides their
 * bytes is as it was: flags, version, columns, and whether the service fills gaps.
 *
 * A null of a gap may lie far from the points on both sides of it. So each series must have points beside the files that are
 * written, wherever it goes on there, and begin and end in the same files as before. Otherwise all files are made again.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { groupBy } from "../../base/group-by.ts";
import { hasFixedLength } from "../../base/intervals.ts";
import type { JsonObject } from "../../base/json.ts";
import { formatHash, hasContent } from "../../files/hash-file.ts";
import { GapEvidence } from "../../series/gap-evidence.ts";
import type { KnownResponse } from "../../series/decoded-response.ts";
import { findLastInstant, splitTimeSeries } from "../../series/overlap.ts";
import type { KnownColumns } from "../../series/layout/columns.ts";
import { findOffsetMs, keySeries, type TimeSeries } from "../../series/time-series.ts";
import { listLayers } from "../../store/layers.ts";
import { findUntil, isSameGrid, overlap, type SegmentQuery, type Span, type SplitGrid } from "../../store/segments.ts";
import { DESCRIPTOR, spanOfFile, spanOfPartition } from "../destination/dataset/partition.ts";
import type { KeptFiles } from "../destination/interface.ts";
import type { FolderTarget } from "../destination/target.ts";
import type { Window } from "../../query/window.ts";
import type { LocalTime } from "../../time/local-time.ts";
import type { FileJob } from "../job.ts";
import { type LoggedSeries, SeriesLog } from "../package/series-log.ts";
import { type DescribedFile, type DescribedSeries, parseDescriptor } from "../package/descriptor.ts";
import type { StoredSegment } from "./open-segments.ts";

type StoredPeriod = readonly StoredSegment[];

/** What an update must read to write the files that may have changed. */
export interface Unchanged {
  /** The periods to be read: those of files that are written, and one on each side. */
  readonly periods: readonly StoredPeriod[];
  readonly fillsGaps: boolean;
  /** The longest time without a break that is read: no gap in it is longer. */
  readonly longest: Window;
  /** The series of the dataset before, each with its first and last point, without values. */
  readonly series: readonly TimeSeries[];
  /** Called with what the output has of each segment that is read. */
  readonly observe: (part: KnownResponse) => void;
  /** What the output keeps, once all is read; undefined if a file that would be kept has other rows now. */
  readonly finish: () => KeptFiles | undefined;
}

interface Found {
  /** With all stored responses: one that is not laid over others may have ended those. */
  readonly stored: readonly StoredPeriod[];
  readonly query: SegmentQuery;
  readonly grid: SplitGrid;
  /** Number of the last run that finished. */
  readonly finished: number;
  /** True if the last run made its output with the same version and flags. */
  readonly isMadeAlike: boolean;
}

/** Undefined if all files must be made again. */
export async function findUnchanged(found: Found, job: FileJob): Promise<Unchanged | undefined> {
  const { stored: periods, query, finished } = found;
  const { folder, target } = job;
  const { last } = folder.journal;
  const offset = findOffsetMs(query.network, []);
  if (!last || offset === undefined || target.kind !== "folder" || !isPlain(found, job)) return undefined;
  const text = await readFile(join(target.path, DESCRIPTOR), "utf8").catch(() => "");
  const described = formatHash(createHash("sha256").update(text)) === last.hash ? parseDescriptor(text) : undefined;
  const settled = last.settled ?? Number.NEGATIVE_INFINITY;
  const fillsGaps = findFills(periods);
  // Where nothing shows whether gaps are filled, a request across one may.
  if (!described || findUntil(query) < settled || fillsGaps === undefined || fillsGaps !== described.fillsGaps)
    return undefined;
  // Those at the former end, too: the file of it has the last point of each series.
  const changed = periods.filter(
    (segments) =>
      segments === periods.at(-1) ||
      segments.some((segment) => hasChanged(segment, finished) || Math.min(segment.until, findUntil(query)) >= settled),
  );
  const spans = changed.map((segments) => coverFiles(spanOfPeriod(segments), query, target));
  const isBeside = ({ path }: DescribedFile) => !spans.some((span) => overlap(spanOfFile(path), span));
  const written = joinSpans([...spans, ...(await findDamaged(described.files.filter(isBeside), target))]);
  const isWritten = (segments: StoredPeriod | undefined) =>
    segments?.some((segment) => written.some((span) => overlap(segment, span))) === true;
  const read = periods.filter((_, index) => [-1, 0, 1].some((step) => isWritten(periods[index + step])));
  if (read.length === periods.length) return undefined;
  const isKept = ({ path }: DescribedFile) => !written.some((span) => overlap(spanOfFile(path), span));
  const files = new Map(described.files.filter(isKept).map((file) => [file.path, file]));
  const series = described.series.map(sketch);
  const stretches = joinSpans(read.map(spanOfPeriod));
  const logs = written.map((span) => {
    const around = stretches.find((stretch) => overlap(stretch, span)) ?? span;
    const toInstants = ({ from, until }: Span) => ({ from: from - offset, until: until - offset });
    return createSpanLog(toInstants(span), toInstants(around));
  });
  let end = Number.NEGATIVE_INFINITY;
  return {
    periods: read,
    fillsGaps,
    longest: findLongest(stretches, job.context.now() + offset),
    series,
    observe: ({ timeSeries }) => {
      for (const log of logs) log.add(timeSeries);
      end = Math.max(end, findLastInstant(timeSeries));
    },
    finish: () => {
      const going = continueSeries(series, logs);
      if (going?.reduce((latest, one) => Math.max(latest, one.last), Number.NEGATIVE_INFINITY) !== end)
        return undefined;
      const listRequests = (requests: readonly JsonObject[]) => {
        const [now, before] = [requests, described.requests].map((list) => groupBy(list, ({ path }) => path));
        return periods.flatMap((segments) => listRequestsOf(segments, isWritten(segments) ? now : before, offset));
      };
      return { files, series: going, listRequests };
    },
  };
}

/** True if each row is made of points of its own time alone, no flag asks for more of all rows, and no response is lost. */
function isPlain({ query, grid, finished, isMadeAlike }: Found, job: FileJob): boolean {
  const { folder, options, output, update } = job;
  const { last } = folder.journal;
  const isThere = folder.responses.filter(({ run }) => run <= finished).length === last?.stored;
  const isOwn = !query.transforms && !query.computation && !output.layout.join && hasFixedLength(query.interval);
  const isMeasured = query.settledAt === undefined && query.measuredUntil === undefined;
  const isWatched = options.summary || options.requireComplete || options.requireCompleteEach;
  const isSame = isMadeAlike && last?.start === query.window.start && isSameGrid(last.grid, grid);
  const isCut = (last?.window?.end ?? Number.POSITIVE_INFINITY) > (query.window.end ?? Number.POSITIVE_INFINITY);
  const isUsual = !output.limits && !update?.hasNewMetrics && !options.overwrite;
  return isThere && isOwn && isMeasured && !isWatched && isSame && !isCut && isUsual;
}

/** Whether the service fills gaps, as the headings of the responses say. */
function findFills(periods: readonly StoredPeriod[]): boolean | undefined {
  const evidence = new GapEvidence();
  for (const { responses } of periods.flat()) {
    const [newest] = listLayers(responses);
    if (newest) evidence.observeSummary(newest.facts);
  }
  return evidence.fills;
}

function hasChanged({ responses }: StoredSegment, finished: number): boolean {
  const before = listLayers(responses.filter(({ run }) => run <= finished));
  const now = listLayers(responses);
  return now.length !== before.length || now.some((layer, index) => layer !== before[index]);
}

/** The time of the files that are not as they were written. */
async function findDamaged(files: readonly DescribedFile[], target: FolderTarget): Promise<Span[]> {
  const damaged: Span[] = [];
  for (const file of files)
    if (!(await hasContent(join(target.path, file.path), file))) damaged.push(spanOfFile(file.path));
  return damaged;
}

/** The time of the files that a segment has points in. */
function coverFiles({ from, until }: Span, { window }: SegmentQuery, { period }: FolderTarget): Span {
  const first = spanOfPartition(period, Math.max(from, window.start));
  return { from: first.from, until: Number.isFinite(until) ? spanOfPartition(period, until - 1).until : until };
}

/** `now`: in network time. */
function findLongest(spans: readonly Span[], now: LocalTime): Window {
  const lengthOf = ({ from, until }: Span) => Math.min(until, now) - from;
  const { from, until } = spans.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0] as Span;
  return { start: from, end: Number.isFinite(until) ? until : undefined };
}

/** Spans that touch as one, in order of time. */
function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const before = joined.at(-1);
    if (!before || before.until < span.from) joined.push(span);
    else joined.splice(-1, 1, { from: before.from, until: Math.max(before.until, span.until) });
  }
  return joined;
}

/** A described series, with its first and last point alone. */
function sketch({ network = "", metric, unit = "", labels, first, last }: DescribedSeries): TimeSeries {
  const points = { timestamps: [first, last], instants: [first, last].map(Date.parse), values: [null, null] };
  return { fields: {}, network, metric, unit, series: [{ fields: {}, labels, points }] };
}

/** Logs the series inside of a span of instants, and those beside it, as far as all is read without a break. */
function createSpanLog({ from, until }: Span, around: Span) {
  const [before, inside, after] = [new SeriesLog(), new SeriesLog(), new SeriesLog()];
  return {
    from,
    until,
    before: before.series,
    inside: inside.series,
    after: after.series,
    add: (timeSeries: readonly TimeSeries[]) => {
      const [, read] = splitTimeSeries(timeSeries, around.from);
      const [early, rest] = splitTimeSeries(read, from);
      const [own, later] = splitTimeSeries(rest, until);
      const [late] = splitTimeSeries(later, around.until);
      before.add(early);
      inside.add(own);
      after.add(late);
    },
  };
}

/** The series with their first and last points as they are now; undefined if a file that is kept has other rows. */
function continueSeries(
  series: readonly TimeSeries[],
  logs: readonly ReturnType<typeof createSpanLog>[],
): LoggedSeries[] | undefined {
  const known = keySeries(series);
  if (logs.some(({ inside }) => [...inside.keys()].some((key) => !known.has(key)))) return undefined;
  const going: LoggedSeries[] = [];
  for (const [key, { item, series: one }] of known) {
    const { network, metric, unit } = item;
    const [first = Number.NaN, last = first] = one.points.instants;
    const now = { first, last };
    for (const { from, until, before, inside, after } of logs) {
      const found = inside.get(key);
      const [begins, ends] = [first >= from && first < until, last >= from && last < until];
      const isBeside = last < from || first >= until;
      const isOpen = (first < from && !before.has(key)) || (last >= until && !after.has(key));
      const isLost = isBeside ? found !== undefined : isOpen || ((begins || ends) && !found);
      if (isLost || (found && found.unit !== unit)) return undefined;
      if (found && begins) now.first = found.first;
      if (found && ends) now.last = found.last;
    }
    going.push({ network, metric, unit, labels: one.labels, ...now });
  }
  return going;
}

/** The described requests that a period's points are from. `requests`: by path. */
function listRequestsOf(
  segments: StoredPeriod,
  requests: ReadonlyMap<unknown, readonly JsonObject[]> | undefined,
  offset: number,
): readonly JsonObject[] {
  const paths = new Set(segments.map(({ responses }) => listLayers(responses)[0]?.path));
  const { from, until } = spanOfPeriod(segments);
  const isOf = ({ rows_from: first }: JsonObject) => {
    const local = typeof first === "string" ? Date.parse(first) + offset : from;
    return local >= from && local < until;
  };
  return [...paths].flatMap((path) => requests?.get(path) ?? []).filter(isOf);
}

function spanOfPeriod(segments: StoredPeriod): Span {
  return {
    from: Math.min(...segments.map(({ from }) => from)),
    until: Math.max(...segments.map(({ until }) => until)),
  };
}

/** A hash of columns: those of all files must be the same. */
export function signColumns(columns: KnownColumns): string {
  const text = JSON.stringify(columns, (_, value: unknown) =>
    value instanceof Map ? [...value].toSorted(([a], [b]) => (a < b ? -1 : 1)) : value,
  );
  return formatHash(createHash("sha256").update(text));
}
