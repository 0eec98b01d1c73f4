/** Reads the stored responses of segments, one over the other. */
import type { StoredSegmentResponse } from "../../store/response-folder.ts";
import { type Span, type SegmentQuery, findUntil } from "../../store/segments.ts";
import { overlay, listLayers } from "../../store/layers.ts";
import {
  type DecodedResponse,
  createEmptyResponse,
  isKnown,
  type KnownResponse,
  selectUsed,
} from "../../series/decoded-response.ts";
import { countValues, splitTimeSeries } from "../../series/overlap.ts";
import { findOffsetMs, mapPoints, type Series, type TimeSeries } from "../../series/time-series.ts";
import { prefetch } from "../../source/prefetch.ts";
import { DEFAULTS, readResponse } from "../../source/read-response.ts";
import { freeResponse, type Response } from "../../source/response.ts";
import type { LocalTime } from "../../time/local-time.ts";
import type { FileJob } from "../job.ts";
import type { StoredSegment } from "./open-segments.ts";

export interface Reader extends Pick<FileJob, "folder"> {
  readonly query: SegmentQuery;
}

/** What a segment has. */
export interface SegmentContent {
  readonly decoded: KnownResponse;
  /** The number of points that have a value. */
  readonly values: number;
  /** The number of values that the newest response lacks. */
  readonly held: number;
  /** The stored responses that values are from. */
  readonly sources: readonly StoredSegmentResponse[];
}

/** @throws {Damaged} a stored response cannot be read. */
export async function readSegment(
  segment: Span,
  responses: readonly StoredSegmentResponse[],
  reader: Reader,
): Promise<SegmentContent> {
  const layers = listLayers(responses);
  return layResponses(
    segment,
    { layers, responses: await Promise.all(layers.map((layer) => reader.folder.read(layer))) },
    reader,
  );
}

interface Read {
  /** Newest first. */
  readonly layers: readonly StoredSegmentResponse[];
  readonly responses: readonly (Response | undefined)[];
}

async function layResponses(segment: Span, { layers, responses }: Read, { query }: Reader): Promise<SegmentContent> {
  let merged: KnownResponse | undefined;
  let held = 0;
  const sources: StoredSegmentResponse[] = [];
  for (const [index, layer] of layers.entries()) {
    const decoded = await decode(responses[index], layer);
    const used = { ...trimToSegment(decoded, { ...segment, asked: layer.window.start }, query), path: layer.path };
    const over = merged && overlay(merged.timeSeries, used.timeSeries);
    if (!over || over.held > 0) sources.push(layer);
    held += over?.held ?? 0;
    merged = merged ? { ...merged, timeSeries: over?.timeSeries ?? merged.timeSeries } : used;
  }
  const decoded = merged ?? createEmptyResponse(undefined, "");
  return { decoded, held, sources, values: countValues(decoded.timeSeries) };
}

/** A stored response that is gone or damaged. */
export class Damaged extends Error {
  readonly stored: StoredSegmentResponse;

  constructor(stored: StoredSegmentResponse) {
    super(`${stored.name} is damaged`);
    this.stored = stored;
  }
}

async function decode(response: Response | undefined, layer: StoredSegmentResponse): Promise<KnownResponse> {
  const isOpen = layer.window.end === undefined;
  const decoded = response && (await readResponse(response, { ...DEFAULTS, isOpen }).catch(() => undefined));
  if (!decoded || !isKnown(decoded) || decoded.incomplete) throw new Damaged(layer);
  freeResponse(response);
  return decoded;
}

interface AskedSpan extends Span {
  /** The start of the response's window. */
  readonly asked?: LocalTime | undefined;
}

/** The part of a response that lies in a segment. A service with an inclusive end sends a first point of the next one. */
export function trimToSegment(
  decoded: KnownResponse,
  { from, until, asked }: AskedSpan,
  query: SegmentQuery,
): KnownResponse {
  const used = selectUsed(decoded, { ...query, measuredUntil: undefined }) as KnownResponse;
  // Timestamps may lie before the window's start, where they are not that of an interval.
  const start = Math.max(from, query.window.start);
  const first = (asked ?? start) < start ? start : Number.NEGATIVE_INFINITY;
  return cutResponse(used, query.network, { from: first, until });
}

/** The part of a segment that an output has. */
export function cutToOutput({ decoded }: SegmentContent, query: SegmentQuery): KnownResponse {
  const cut = cutResponse(decoded, query.network, { from: Number.NEGATIVE_INFINITY, until: findUntil(query) });
  return selectUsed(cut, { ...query, parameters: [] }) as KnownResponse;
}

/** Unchanged if the UTC offset of network time is unknown. */
function cutResponse(decoded: KnownResponse, network: string, { from, until }: Span): KnownResponse {
  const offset = findOffsetMs(network, decoded.timeSeries);
  const { timeSeries, whole = timeSeries } = decoded;
  if (offset === undefined || (!Number.isFinite(from) && !Number.isFinite(until))) return decoded;
  const [, rest] = splitTimeSeries(timeSeries, from - offset);
  const [cut] = splitTimeSeries(rest, until - offset);
  return { ...decoded, timeSeries: dropEmptied(timeSeries, cut), whole };
}

/** Without the series that have lost all of their points. */
function dropEmptied(before: readonly TimeSeries[], after: readonly TimeSeries[]): TimeSeries[] {
  const count = (item: TimeSeries | undefined, index: number) => item?.series[index]?.points.instants.length ?? 0;
  return after.flatMap((item, at) => {
    const series = item.series.filter((_, index) => count(item, index) > 0 || count(before[at], index) === 0);
    return series.length > 0 || item.series.length === 0 ? [{ ...item, series }] : [];
  });
}

interface SegmentReadOptions extends Reader, Pick<FileJob, "context"> {
  readonly concurrency: number;
  /** Called with what each segment has, and with the part that the output has. */
  readonly onSegment?: ((segment: StoredSegment, content: SegmentContent, part: KnownResponse) => void) | undefined;
}

interface ReadSegment {
  readonly segment: Span;
  readonly decoded: KnownResponse;
}

/** The halves of a segment follow each other as windows do, also where other batches have it whole. */
function* splitHalves(read: readonly ReadSegment[], network: string): Generator<readonly DecodedResponse[]> {
  const cuts = [...new Set(read.map(({ segment }) => segment.from))].sort((a, b) => a - b);
  const isCut = ({ from, until }: Span) => cuts.some((cut) => cut > from && cut < until);
  // The body of a response is freed with its first part.
  const all = read.map(({ segment, decoded }) => ({ segment, decoded: isCut(segment) ? detach(decoded) : decoded }));
  for (const [index, from] of cuts.entries()) {
    const until = cuts[index + 1] ?? Number.POSITIVE_INFINITY;
    const inside = all.filter(({ segment }) => segment.from < until && segment.until > from);
    yield inside.map(({ decoded }) =>
      cutResponse(decoded, network, { from: index === 0 ? Number.NEGATIVE_INFINITY : from, until }),
    );
  }
}

/** With points of their own, which need no body. */
function detach(decoded: KnownResponse): KnownResponse {
  const copy = ({ points: { timestamps, instants, values } }: Series) => ({ timestamps, instants, values });
  return { ...decoded, timeSeries: mapPoints(decoded.timeSeries, copy) };
}

/**
 * Yields the content of each segment, in order of time, as its responses. @throws {Damaged} a stored response cannot be
 * read.
 */
export async function* readSegments(
  periods: readonly (readonly StoredSegment[])[],
  options: SegmentReadOptions,
): AsyncGenerator<readonly DecodedResponse[]> {
  const { folder, query, concurrency, context, onSegment } = options;
  const contents = prefetch({
    concurrency,
    signal: context.signal,
    requests: periods.flat(),
    send: async (segment) => {
      const layers = listLayers(segment.responses);
      return { segment, layers, responses: await Promise.all(layers.map((layer) => folder.read(layer))) };
    },
    read: ({ segment, ...read }) => layResponses(segment, read, options),
  });
  try {
    for (const segments of periods) {
      const read: ReadSegment[] = [];
      for (const segment of segments) {
        const content = await contents.take();
        const decoded = cutToOutput(content, query);
        onSegment?.(segment, content, decoded);
        read.push({ segment, decoded });
      }
      yield* splitHalves(read, query.network);
    }
  } finally {
    await contents.cancel();
  }
}
