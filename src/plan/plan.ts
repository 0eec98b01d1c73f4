import type { Parameter, Query } from "../query/query.ts";
import { isEmptyWindow, type Window } from "../query/window.ts";
import { bucketStartBy, nextBucketStartBy } from "../time/buckets.ts";
import { addDuration } from "../time/calendar.ts";
import { formatLocalTime, type LocalTime, MINUTE } from "../time/local-time.ts";
import { spanOfSeason } from "../time/seasons.ts";
import { type BucketRule, type CommandName, findNetwork, type Interval } from "../base/vocabulary.ts";
import { batchParameters } from "./batch.ts";
import { cutOpenWindow, cutWindow } from "./cut.ts";
import { estimatePoints } from "./estimate.ts";
import { findLimits, type Limits, limitTooShort, type MaxWindow } from "./limits.ts";

/** One request to send. */
export interface PlannedRequest {
  readonly method: "GET";
  /** Path and query, relative to the base address: `/v4/data/network/NEM?metrics=power`. */
  readonly path: string;
  /** Estimated points of the answer; undefined if unknown. */
  readonly points: number | undefined;
  /** The latest instant at which its window can end, in milliseconds since 1970 UTC; undefined if its end is open. */
  readonly endsBy: number | undefined;
}

/** A part of the query's window, with one request per batch of codes. */
export interface PlannedWindow {
  readonly window: Window;
  readonly requests: readonly PlannedRequest[];
}

/** All requests of a query, with windows in order of time. */
export interface Plan {
  readonly query: Query;
  /** Milliseconds since 1970 UTC: the end of a window without one. */
  readonly now: number;
  /** The limits it keeps to; undefined where the service chooses the interval. */
  readonly limits: Limits | undefined;
  readonly windows: readonly PlannedWindow[];
}

/** What a plan depends on besides the query. */
export interface PlanFacts {
  /** Milliseconds since 1970 UTC: the end of a window without one. */
  readonly now: number;
  /** From `--max-window` or the settings. */
  readonly maxWindow: MaxWindow | undefined;
}

/** A window within the limit, or without a start, is one request per batch with exactly the user's parameters; an empty one, or no unit, is none. */
export function planQuery(query: Query, facts: PlanFacts): Plan {
  const { now, maxWindow } = facts;
  if (isEmptyWindow(query.window) || query.units?.length === 0) return { query, now, limits: undefined, windows: [] };
  const { interval } = query;
  if (interval !== undefined) return cutQuery({ ...query, interval }, findLimits(interval, maxWindow), now);
  return { query, now, limits: undefined, windows: [planWindow(query, query.window, now)] };
}

/** Plans a query, or the rest of its window, with known limits. @throws {EntsError} usage: a limit shorter than a bucket. */
export function cutQuery(query: Query & { readonly interval: Interval }, limits: Limits, now: number): Plan {
  const { start, end } = query.window;
  const last = end ?? networkNow(query.network, now);
  const cut = end === undefined ? cutOpenWindow : cutWindow;
  const cuts = start === undefined || last === undefined ? [] : cut({ start, end: last }, limits);
  if (!cuts) throw limitTooShort(query.interval, limits);
  const ends = [...cuts.map((at) => endBefore(at, query.interval)), end];
  const windows = [start, ...cuts].map((from, index) => ({ start: from, end: ends[index] }));
  return { query, now, limits, windows: windows.map((window) => planWindow(query, window, now)) };
}

/**
 * The end of a window that is split here: the same instant, which the next window has whole. Of seasons, a second before it: the
 * first minutes of January would come as the season that is stamped in October, past what the next window has.
 */
function endBefore(cut: LocalTime, interval: Interval): LocalTime {
  return interval === "season" ? cut - SECOND : cut;
}

/** A gap by the timestamps of the buckets before and after it, and the number of the batch of codes that has it. */
export interface GapPlace {
  readonly from: LocalTime;
  readonly to: LocalTime;
  readonly batch: number;
}

/** One more request, for a gap and as much of the buckets on either side as the limit has room for; undefined where it has none. */
export function planAcross({ query, limits, now }: Plan, { from, to, batch }: GapPlace): PlannedRequest | undefined {
  if (!limits) return undefined;
  const { maxWindow } = limits;
  const spanOf = (stamp: LocalTime) => (query.interval === "season" ? spanOfSeason(stamp) : spanOfBucket(limits.bucket, stamp));
  const [[first, begin], [finish, last]] = [spanOf(from), spanOf(to)];
  const room = maxWindow === undefined ? Number.POSITIVE_INFINITY : addDuration(begin, maxWindow) - finish;
  // Of either side, at least one value, which is for five minutes.
  if (room < 2 * FIVE_MINUTES) return undefined;
  const side = Math.floor(room / 2 / FIVE_MINUTES) * FIVE_MINUTES;
  const start = Math.max(first, begin - side, query.window.start ?? first);
  const end = Math.min(last, maxWindow === undefined ? last : addDuration(start, maxWindow)) - SECOND;
  return planWindow(query, { start, end: Math.min(end, query.window.end ?? end) }, now).requests[batch];
}

function spanOfBucket(bucket: BucketRule, local: LocalTime): readonly [start: LocalTime, end: LocalTime] {
  return [bucketStartBy(bucket, local), nextBucketStartBy(bucket, local)];
}

/** All requests of a plan, in the order sent. */
export function listRequests({ windows }: Pick<Plan, "windows">): PlannedRequest[] {
  return windows.flatMap(({ requests }) => requests);
}

/** The network's wall clock; undefined if its offset is unknown. */
export function networkNow(network: string, now: number): number | undefined {
  const offset = findNetwork(network)?.offsetMinutes;
  return offset === undefined ? undefined : now + offset * MINUTE;
}

function planWindow(query: Query, window: Window, now: number): PlannedWindow {
  const endsBy = window.end === undefined ? undefined : latestInstant(query.network, window.end);
  const requests = batchParameters(replaceWindow(query.parameters, window), query.units).map((parameters): PlannedRequest => {
    const part = { ...query, window, parameters };
    return { method: "GET", path: formatPath(part), points: estimatePoints(part, now), endsBy };
  });
  return { window, requests };
}

const SECOND = 1000;
const FIVE_MINUTES = 5 * MINUTE;

/** The UTC offset furthest behind, in minutes. */
const WESTERNMOST_OFFSET = -12 * 60;

/** The instant of a network's wall clock; if its offset is unknown, the latest possible one. */
function latestInstant(network: string, local: LocalTime): number {
  return local - (findNetwork(network)?.offsetMinutes ?? WESTERNMOST_OFFSET) * MINUTE;
}

/** The user's parameters with the window of one request: `date_end` is added where the user gave only a start. */
function replaceWindow(parameters: readonly Parameter[], { start, end }: Window): Parameter[] {
  const ends = new Map([
    ["date_start", start],
    ["date_end", end],
  ]);
  const replaced = parameters.flatMap(({ name, values }) => {
    if (!ends.has(name)) return [{ name, values }];
    return name === "date_start" ? listEnds(ends) : [];
  });
  return parameters.some(({ name }) => name === "date_start") ? replaced : [...parameters];
}

function listEnds(ends: ReadonlyMap<string, number | undefined>): Parameter[] {
  return [...ends].flatMap(([name, local]) => (local === undefined ? [] : [{ name, values: [formatLocalTime(local)] }]));
}

/** v4.md, Endpoints. */
const PATHS = {
  network: "/v4/data/network/",
  facilities: "/v4/data/facilities/",
  market: "/v4/market/network/",
} as const satisfies Record<CommandName, string>;

/** A parameter of several values is repeated (v4.md, Rules). */
function formatPath({ command, network, parameters }: Query): string {
  const search = new URLSearchParams();
  for (const { name, values } of parameters) for (const value of values) search.append(name, value);
  return `${PATHS[command]}${encodeURIComponent(network)}?${search}`;
}
