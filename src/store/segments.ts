/**
 * Segments: the parts of time, cut by a fixed calendar, that an output is asked for in. A stored response answers one segment
 * for one batch of codes, and is asked for whole; one without an end may have values of later segments, and is a layer of
 * these, too. Pure.
 *
 * The first segment begins where the output does. A segment that the service finds too long is halved; the ends of the stored
 * responses show where.
 */
import { createHash } from "node:crypto";
import { groupBy } from "../base/group-by.ts";
import { findSplits, type Interval } from "../base/intervals.ts";
import { isForecast } from "../base/vocabulary.ts";
import { cutCalendar, findWindowLimits, type WindowLimits, type MaxWindow } from "../plan/limits.ts";
import {
  earliestLocal,
  endBeforeSplit,
  FORECAST_AHEAD,
  latestInstant,
  listBatches,
  networkNow,
  type PlannedRequest,
  planRequest,
  startAfterSplit,
} from "../plan/plan.ts";
import { removeWindow } from "../plan/request-path.ts";
import type { Parameter } from "../query/parameters.ts";
import type { Query } from "../query/query.ts";
import type { Window } from "../query/window.ts";
import { intervalStart, nextIntervalStart } from "../time/calendar.ts";
import { formatLocalTime, type LocalTime } from "../time/local-time.ts";
import type { ResponseSummary } from "./response-facts.ts";

/** How time is cut: fixed by the first run of an output. */
export type SplitGrid = Pick<WindowLimits, "maxWindow">;

/** In network time, end exclusive; infinite where intervals are never split. */
export interface Span {
  readonly from: LocalTime;
  readonly until: LocalTime;
}

/** A stored response of an output that is updated. */
export interface SegmentResponse {
  readonly path: string;
  readonly window: Window;
  /** Number of the run that received it. Unlike a clock, it never goes back. */
  readonly run: number;
  /** Milliseconds since 1970 UTC. */
  readonly receivedAt: number;
  readonly grid: SplitGrid;
  readonly facts: ResponseSummary;
}

/** A segment, or a part of one that was halved, for one batch of codes. */
export interface Segment<T extends SegmentResponse = SegmentResponse> extends Span {
  /** `2025-01-01T0000.1f0c9a3e`: its start, and a hash of the batch. */
  readonly name: string;
  /** The name of the whole segment, if this is a part of one that was halved. */
  readonly wholeName: string;
  readonly batch: readonly Parameter[];
  readonly request: PlannedRequest;
  /** Newest first. */
  readonly responses: readonly T[];
}

/** The query of an update. */
export type SegmentQuery = Query & {
  readonly interval: Interval;
  readonly window: Window & { readonly start: LocalTime };
};

interface StoredResponses<T extends SegmentResponse> {
  readonly grid: SplitGrid;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly stored: readonly T[];
}

/**
 * Intervals whose requests are never split have a segment a year: a single one would begin before what a key may see some
 * day.
 */
export function chooseGrid(interval: Interval, maxWindow: MaxWindow | undefined): SplitGrid {
  const limits = findWindowLimits(interval, maxWindow);
  return { maxWindow: maxWindow === undefined && !limits.maxWindow ? { amount: 1, unit: "years" } : limits.maxWindow };
}

/**
 * The end of an output, in network time, exclusive; Infinity if it goes on. The interval that starts at its last
 * instant belongs to it.
 */
export function findUntil({ interval, window: { end } }: SegmentQuery): LocalTime {
  return end === undefined ? Number.POSITIVE_INFINITY : nextIntervalStart(findSplits(interval), end);
}

/**
 * The end of the values that an output has and that are not provisional: of intervals that were over. Infinity if it is
 * unknown.
 */
export function findSettled(query: SegmentQuery, now: number): LocalTime {
  const local = networkNow(query.network, now);
  return Math.min(
    findUntil(query),
    local === undefined ? Number.POSITIVE_INFINITY : intervalStart(findSplits(query.interval), local),
  );
}

/**
 * The segments of an output up to its end or now: by their spans in order of time, one for each batch, or the parts of one
 * that was halved.
 */
export function laySegments<T extends SegmentResponse>(
  query: SegmentQuery,
  { grid, now, stored }: StoredResponses<T>,
): Segment<T>[][] {
  const own = stored
    .filter((response) => isSameGrid(response.grid, grid))
    .toSorted((a, b) => b.run - a.run || b.receivedAt - a.receivedAt)
    .map((response) => ({ response, span: findSpan(response, query) }));
  const byBatch = groupBy(own, ({ response }) => removeWindow(response.path));
  const batches = listBatches(query).map((parameters) => {
    const path = removeWindow(planRequest({ ...query, parameters }, now).path);
    return {
      parameters,
      ofBatch: byBatch.get(path) ?? [],
      hash: createHash("sha256").update(path).digest("hex").slice(0, 8),
    };
  });
  const spans = listSpans(query, grid, now);
  return spans.map((whole) => {
    const last = whole === spans.at(-1) && goesOn(query, whole) ? Number.POSITIVE_INFINITY : whole.until;
    return batches.flatMap(({ parameters, ofBatch, hash }) => {
      const responses = ofBatch.filter(({ span }) => overlap(span, { from: whole.from, until: last }));
      return splitSpan(whole, responses, last).map((part) => ({
        ...part,
        name: `${nameStart(part)}.${hash}`,
        wholeName: `${nameStart(whole)}.${hash}`,
        batch: parameters,
        request: planSegment({ ...query, parameters }, part, now),
        responses: responses.filter(({ span }) => overlap(span, part)).map(({ response }) => response),
      }));
    });
  });
}

/** Network time; if the network's offset is unknown, the time that it has reached in any case. */
export function reachedLocal(network: string, now: number): LocalTime {
  return networkNow(network, now) ?? earliestLocal(now);
}

/** True if the output goes on after its last segment, which then has no end. Forecasts are asked for with an end. */
function goesOn(query: SegmentQuery, { until }: Span): boolean {
  return findUntil(query) > until && !query.metrics.some(isForecast);
}

/** True for a grid that was stored as JSON. */
export function isGrid(value: unknown): value is SplitGrid {
  return typeof value === "object" && value !== null;
}

export function isSameGrid(one: SplitGrid, other: SplitGrid): boolean {
  return JSON.stringify(one.maxWindow) === JSON.stringify(other.maxWindow);
}

/** @throws {EntsError} usage: a limit shorter than an interval. */
function listSpans(query: SegmentQuery, grid: SplitGrid, now: number): Span[] {
  const { network, metrics, interval, window } = query;
  const { maxWindow } = grid;
  if (maxWindow === undefined) return [ALL];
  const ahead = metrics.some(isForecast) ? FORECAST_AHEAD : 0;
  const last = Math.min(findUntil(query) - 1, reachedLocal(network, now) + ahead);
  const cuts = cutCalendar([window.start, Math.max(window.start, last)], { interval, maxWindow });
  return cuts.slice(1).map((until, index) => ({ from: cuts[index] as LocalTime, until }));
}

const ALL: Span = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** Divides a segment where stored responses end inside it. `last`: the end of its last part. */
function splitSpan({ from, until }: Span, responses: readonly { readonly span: Span }[], last: LocalTime): Span[] {
  const ends = responses.map(({ span }) => span.until).filter((end) => end > from && end < until);
  const cuts = [...new Set(ends)].sort((a, b) => a - b);
  return [from, ...cuts].map((start, index) => ({ from: start, until: cuts[index] ?? last }));
}

/** The two halves of a segment, as far as it has begun; undefined if it is a single interval. */
export function halveSegment(span: Span, now: number, query: SegmentQuery): readonly [Span, Span] | undefined {
  const rule = findSplits(query.interval);
  const from = Math.max(span.from, query.window.start);
  const until = Math.min(span.until, reachedLocal(query.network, now));
  const middle = intervalStart(rule, from + (until - from) / 2);
  const cut = middle > from ? middle : nextIntervalStart(rule, from);
  if (!Number.isFinite(cut) || cut >= until) return undefined;
  return [
    { from: span.from, until: cut },
    { from: cut, until: span.until },
  ];
}

/** The request for all of a segment. A segment that is not over has no end: services then leave out what is provisional. */
export function planSegment(query: SegmentQuery, { from, until }: Span, now: number): PlannedRequest {
  const { network, interval, metrics, window } = query;
  const isOver = latestInstant(network, until) <= now;
  // Forecasts go on after now.
  const hasEnd = Number.isFinite(until) && (isOver || metrics.some(isForecast));
  const end = hasEnd ? endBeforeSplit(until, interval) : undefined;
  return planRequest({ ...query, window: { start: Math.max(from, window.start), end } }, now);
}

/**
 * The instant at which a segment is over, as far as the output uses it, in milliseconds since 1970 UTC; Infinity if it
 * goes on.
 */
export function endOfSegment({ until }: Span, query: SegmentQuery): number {
  return latestInstant(query.network, Math.min(until, findUntil(query)));
}

/** What a response answers. Without an end, it may have values of later segments, if the clock was slow or is unknown. */
function findSpan({ window: { start, end } }: SegmentResponse, { interval }: SegmentQuery): Span {
  const until = end === undefined ? Number.POSITIVE_INFINITY : startAfterSplit(end, interval);
  return { from: start ?? Number.NEGATIVE_INFINITY, until };
}

export function overlap(one: Span, other: Span): boolean {
  return one.from < other.until && one.until > other.from;
}

/** The parts of the name of a segment; names are in order of time. */
export function parseName(name: string): { readonly start: string; readonly batch: string } {
  const [start = "", batch = ""] = name.split(".");
  return { start, batch };
}

function nameStart({ from }: Span): string {
  return Number.isFinite(from) ? formatLocalTime(from).replaceAll(":", "").replace(/00$/, "") : "all";
}
