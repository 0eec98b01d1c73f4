import type { Parameter, Query } from "../query/query.ts";
import { isEmptyWindow, type Window } from "../query/window.ts";
import { bucketStartBy, nextBucketStartBy } from "../time/buckets.ts";
import { addDuration } from "../time/calendar.ts";
import { formatLocalTime, type LocalTime, MINUTE } from "../time/local-time.ts";
import { spanOfSeason } from "../time/seasons.ts";
import { type BucketRule, findNetwork, type Interval } from "../base/vocabulary.ts";
import { batchParameters } from "./batch.ts";
import { cutOpenWindow, cutWindow } from "./cut.ts";
import { estimatePoints } from "./estimate.ts";
import { findLimits, type Limits, limitTooShort, type MaxWindow } from "./limits.ts";
import { formatPath, replaceWindow } from "./request-path.ts";

/** One request to send. */
export interface PlannedRequest {
  readonly method: "GET";
  /** Path and query, relative to the base address: `/v4/data/network/NEM?metrics=power`. */
  readonly path: string;
  /** Estimated points of the answer; undefined if unknown. */
  readonly points: number | undefined;
  /** The latest instant at which its window can end, in milliseconds since 1970 UTC; undefined if its end is open. */
  readonly endsBy: number | undefined;
  /** The part of the answer that is used, in network time, its end excluded; by default all. Others have the rest. */
  readonly part?: UsedPart | undefined;
}

export interface UsedPart {
  readonly from: LocalTime;
  readonly until: LocalTime;
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
  return { query, now, limits, windows: splitWindow(query, limits, now).map((window) => planWindow(query, window, now)) };
}

/** The windows of requests that come to the window of a query. @throws {EntsError} usage: as above. */
export function splitWindow(
  { network, interval, window: { start, end } }: Pick<Query, "network" | "window"> & { readonly interval: Interval },
  limits: Limits,
  now: number,
): Window[] {
  const last = end ?? networkNow(network, now);
  const cut = end === undefined ? cutOpenWindow : cutWindow;
  const cuts = start === undefined || last === undefined ? [] : cut({ start, end: last }, limits);
  if (!cuts) throw limitTooShort(interval, limits);
  const ends = [...cuts.map((at) => endBefore(at, interval)), end];
  return [start, ...cuts].map((from, index) => ({ start: from, end: ends[index] }));
}

/**
 * The end of a window that is split here: the same instant, which the next window has whole. Of seasons, a second before it: the
 * first minutes of January would come as the season that is stamped in October, past what the next window has.
 */
export function endBefore(cut: LocalTime, interval: Interval): LocalTime {
  return interval === "season" ? cut - SECOND : cut;
}

/** A gap by the timestamps of the buckets before and after it, and the request of an answer that has its series. */
export interface GapPlace {
  readonly from: LocalTime;
  readonly to: LocalTime;
  readonly path: string;
}

/** One more request, for a gap and as much of the buckets on either side as the limit has room for; undefined where it has none. */
export function planAcross({ query, limits }: Plan, { from, to, path }: GapPlace): PlannedRequest | undefined {
  if (!limits) return undefined;
  const { maxWindow } = limits;
  const spanOf = (stamp: LocalTime) => (query.interval === "season" ? spanOfSeason(stamp) : spanOfBucket(limits.bucket, stamp));
  const [[first, begin], [finish, last]] = [spanOf(from), spanOf(to)];
  const room = maxWindow === undefined ? Number.POSITIVE_INFINITY : addDuration(begin, maxWindow) - finish;
  // On either side there is at least one value, which is for five minutes.
  if (room < 2 * FIVE_MINUTES) return undefined;
  const side = Math.floor(room / 2 / FIVE_MINUTES) * FIVE_MINUTES;
  const start = Math.max(first, begin - side, query.window.start ?? first);
  const end = Math.min(last, maxWindow === undefined ? last : addDuration(start, maxWindow)) - SECOND;
  const window = { start, end: Math.min(end, query.window.end ?? end) };
  return { method: "GET", path: replaceWindow(path, window), points: undefined, endsBy: latestInstant(query.network, window.end) };
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
  return { window, requests: listBatches(query).map((parameters) => planRequest({ ...query, window, parameters }, now)) };
}

/** The parameters of each batch of codes. */
export function listBatches({ parameters, units, batches }: Query): readonly (readonly Parameter[])[] {
  return batches ?? batchParameters(parameters, units);
}

/** The request for one window of one batch of codes, of which the query has the parameters. */
export function planRequest(query: Query, now: number): PlannedRequest {
  const { network, window } = query;
  const part = { ...query, parameters: setWindow(query.parameters, window) };
  const endsBy = window.end === undefined ? undefined : latestInstant(network, window.end);
  return { method: "GET", path: formatPath(part), points: estimatePoints(part, now), endsBy };
}

const SECOND = 1000;
const FIVE_MINUTES = 5 * MINUTE;

/** The UTC offset furthest behind, in minutes. */
const WESTERNMOST_OFFSET = -12 * 60;

/** The instant of a network's wall clock; if its offset is unknown, the latest possible one. */
export function latestInstant(network: string, local: LocalTime): number {
  return local - (findNetwork(network)?.offsetMinutes ?? WESTERNMOST_OFFSET) * MINUTE;
}

/** The user's parameters with the window of one request: `date_end` is added where the user gave only a start. */
function setWindow(parameters: readonly Parameter[], { start, end }: Window): Parameter[] {
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
