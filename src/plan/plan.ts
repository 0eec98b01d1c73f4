import { findValues, type Parameter } from "../query/parameters.ts";
import type { Query } from "../query/query.ts";
import { isEmptyWindow, type Window } from "../query/window.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { intervalOfTimestamp, countIntervals } from "../time/calendar.ts";
import { addDuration, formatDuration } from "../time/duration.ts";
import { DAY, formatLocalTime, type LocalTime, MINUTE } from "../time/local-time.ts";
import type { Interval } from "../base/intervals.ts";
import { findNetwork, isForecast } from "../base/vocabulary.ts";
import { batchParameters, formatPath, replaceWindow } from "./request-path.ts";
import { cutWindow, findWindowLimits, type WindowLimits, limitTooShort, type MaxWindow } from "./limits.ts";

export interface PlannedRequest {
  readonly method: "GET";
  /** Path and query, relative to the base address: `/v4/data/network/NEM?metrics=power`. */
  readonly path: string;
  /** Estimated points of the response; undefined if unknown. */
  readonly points: number | undefined;
  /**
   * The latest instant at which its window can end, in milliseconds since 1970 UTC; undefined if the window has no end.
   */
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
  /** In milliseconds since 1970 UTC; where a window without an end stops. */
  readonly now: number;
  /** The limits of its requests; undefined if there are no requests or the service chooses the interval. */
  readonly limits: WindowLimits | undefined;
  readonly windows: readonly PlannedWindow[];
}

export interface PlanFacts extends Pick<Plan, "now"> {
  /** From `--max-window` or the settings. */
  readonly maxWindow: MaxWindow | undefined;
}

/**
 * Plans a query. A window within the limit, or without a start, becomes one request per batch with exactly the user's
 * parameters; an empty window, or an empty list of units, becomes no request.
 */
export function planQuery(query: Query, { now, maxWindow }: PlanFacts): Plan {
  const { interval, window, units } = query;
  if (isEmptyWindow(window) || units?.length === 0) return { query, now, limits: undefined, windows: [] };
  if (interval !== undefined) return cutQuery(query, findWindowLimits(interval, maxWindow), { now });
  return {
    query,
    now,
    limits: undefined,
    windows: listAskedWindows(query).map((asked) => planWindow(query, asked, now)),
  };
}

/** The windows that are asked for, in order of time: that of the query, and what is needed before it. */
export function listAskedWindows({ window, lead = 0, earlier }: Pick<Query, "window" | "lead" | "earlier">): Window[] {
  const { start, end } = window;
  return [...(earlier ? [earlier] : []), { start: start === undefined ? start : start - lead, end }];
}

/** Warning that `--max-window` cannot be applied, as a long window is only split at the starts of known intervals. */
export function explainUnsplit(query: Query, { now, maxWindow }: PlanFacts): string | undefined {
  const { network, interval, window } = query;
  const last = window.end ?? networkNow(network, now) ?? Number.POSITIVE_INFINITY;
  if (interval !== undefined || maxWindow === undefined || maxWindow === "none" || window.start === undefined)
    return undefined;
  if (last <= addDuration(window.start, maxWindow)) return undefined;
  const named = findValues(query, "interval")?.[0];
  const why =
    named === undefined ? `it needs ${QUERY_FLAGS.interval}` : `ents does not know where intervals of "${named}" start`;
  return `${FETCH_FLAGS.maxWindow} ${formatDuration(maxWindow)} has no effect: ${why}`;
}

/**
 * Plans a query with known limits. `from`: where what is left begins, if some of it was fetched. @throws {EntsError}
 * usage: a limit shorter than an interval.
 */
export function cutQuery(
  query: Query,
  limits: WindowLimits,
  { now, from = Number.NEGATIVE_INFINITY }: { readonly now: number; readonly from?: LocalTime },
): Plan {
  const left = listAskedWindows(query)
    .filter(({ end }) => end === undefined || end > from)
    .map(({ start, end }) => ({ start: start === undefined || start > from ? start : from, end }));
  const windows = left.flatMap((window) => splitWindow(window, limits, networkNow(query.network, now)));
  return { query, now, limits, windows: windows.map((window) => planWindow(query, window, now)) };
}

/** Splits a window into those of its requests. @throws {EntsError} usage: a limit shorter than an interval. */
function splitWindow(window: Window, limits: WindowLimits, now: LocalTime | undefined): Window[] {
  const cuts = cutWindow(window, now, limits);
  if (!cuts) throw limitTooShort(limits);
  const ends = [...cuts.map((at) => endBeforeSplit(at, limits.interval)), window.end];
  return [window.start, ...cuts].map((start, index) => ({ start, end: ends[index] }));
}

/**
 * The end of the window before a split: the split itself, whose interval is complete in the next window. For seasons, a
 * second earlier: with the first minutes of January, the response would have a point of the season stamped in October
 * of that year.
 */
export function endBeforeSplit(cut: LocalTime, interval: Interval): LocalTime {
  return interval === "season" ? cut - SECOND : cut;
}

/** The split after the end of a window: undoes `endBeforeSplit`. */
export function startAfterSplit(end: LocalTime, interval: Interval): LocalTime {
  return interval === "season" ? end + SECOND : end;
}

/** A gap, as the timestamps of the intervals before and after it, and a request whose response has its series. */
interface GapPlace {
  readonly from: LocalTime;
  readonly to: LocalTime;
  readonly path: string;
}

/**
 * Plans a request across a gap, with as much of the intervals on either side as the limit allows; undefined if the gap
 * is too long.
 */
export function planAcross({ query, limits }: Plan, { from, to, path }: GapPlace): PlannedRequest | undefined {
  if (!limits) return undefined;
  const { interval, maxWindow } = limits;
  const [[first, begin], [finish, last]] = [intervalOfTimestamp(interval, from), intervalOfTimestamp(interval, to)];
  const room = maxWindow === undefined ? Number.POSITIVE_INFINITY : addDuration(begin, maxWindow) - finish;
  // Each side needs at least one value, which covers five minutes.
  if (room < 2 * FIVE_MINUTES) return undefined;
  const side = Math.floor(room / 2 / FIVE_MINUTES) * FIVE_MINUTES;
  const start = Math.max(first, begin - side, listAskedWindows(query)[0]?.start ?? first);
  const end = Math.min(last, maxWindow === undefined ? last : addDuration(start, maxWindow)) - SECOND;
  const window = { start, end: Math.min(end, query.window.end ?? end) };
  return {
    method: "GET",
    path: replaceWindow(path, window),
    points: undefined,
    endsBy: latestInstant(query.network, window.end),
  };
}

export function listRequests({ windows }: Pick<Plan, "windows">): PlannedRequest[] {
  return windows.flatMap(({ requests }) => requests);
}

/** The network's wall clock; undefined if its offset is unknown. */
export function networkNow(network: string, now: number): number | undefined {
  const offset = findNetwork(network)?.offsetMinutes;
  return offset === undefined ? undefined : now + offset * MINUTE;
}

function planWindow(query: Query, window: Window, now: number): PlannedWindow {
  return {
    window,
    requests: listBatches(query).map((parameters) => planRequest({ ...query, window, parameters }, now)),
  };
}

export function listBatches({ parameters, units, batches }: Query): readonly (readonly Parameter[])[] {
  return batches ?? batchParameters(parameters, units);
}

/** Plans the request for one window and one batch of codes: those in `window` and `parameters` of the query. */
export function planRequest(query: Query, now: number): PlannedRequest {
  const { network, window } = query;
  const part = { ...query, parameters: setWindow(query.parameters, window) };
  const endsBy = window.end === undefined ? undefined : latestInstant(network, window.end);
  return { method: "GET", path: formatPath(part), points: estimatePoints(part, now), endsBy };
}

const SECOND = 1000;
const FIVE_MINUTES = 5 * MINUTE;

/** The lowest UTC offset, in minutes. */
const WESTERNMOST_OFFSET = -12 * 60;

/** Converts network time to an instant; if the network's offset is unknown, to the latest possible one. */
export function latestInstant(network: string, local: LocalTime): number {
  return local - (findNetwork(network)?.offsetMinutes ?? WESTERNMOST_OFFSET) * MINUTE;
}

/** Network time by the westernmost clock, for a network whose offset is unknown. */
export function earliestLocal(now: number): LocalTime {
  return now + WESTERNMOST_OFFSET * MINUTE;
}

/** The user's parameters with the window of one request: `date_end` is added if the user gave only a start. */
export function setWindow(parameters: readonly Parameter[], { start, end }: Window): readonly Parameter[] {
  if (!parameters.some(({ name }) => name === "date_start")) return parameters;
  const ends = Object.entries({ date_start: start, date_end: end }).flatMap(([name, local]) =>
    local === undefined ? [] : [{ name, values: [formatLocalTime(local)] }],
  );
  return parameters.flatMap((parameter) => {
    if (parameter.name === "date_start") return ends;
    return parameter.name === "date_end" ? [] : [parameter];
  });
}

/** The number of series per grouping without a filter, as of NEM on the public service. */
const TYPICAL_SERIES: Readonly<Record<string, number>> = { fueltech: 14, fueltech_group: 10, status: 2, renewable: 2 };
const UNITS_PER_FACILITY = 2;
/** How far the public service's forecasts reach. */
export const FORECAST_AHEAD = 8 * DAY;

/**
 * Undefined if the service chooses interval or window, or if the number of series is unknown (all facilities of a
 * network).
 */
function estimatePoints(query: Query, now: number): number | undefined {
  const intervals = estimateIntervals(query, now);
  const series = estimateSeries(query);
  return intervals === undefined || series === undefined
    ? undefined
    : intervals * (findValues(query, "metrics")?.length ?? 0) * series;
}

/** Undefined if the service chooses interval or window. */
export function estimateIntervals({ interval, window, network, metrics }: Query, now: number): number | undefined {
  if (interval === undefined || window.start === undefined) return undefined;
  const ahead = metrics.some(isForecast) ? FORECAST_AHEAD : 0;
  return countIntervals(interval, window.start, window.end ?? (networkNow(network, now) ?? now) + ahead);
}

function estimateSeries(query: Query): number | undefined {
  const count = (name: string) => findValues(query, name)?.length;
  if (query.command === "facilities") {
    const facilities = count("facility_code");
    return count("unit_code") ?? (facilities === undefined ? undefined : facilities * UNITS_PER_FACILITY);
  }
  const isByRegion = findValues(query, "primary_grouping")?.[0] === "network_region" && count("network_region") !== 1;
  const regions = isByRegion ? Math.max(1, findNetwork(query.network)?.regions.length ?? 1) : 1;
  const [grouping = ""] = findValues(query, "secondary_grouping") ?? [];
  return regions * (count("fueltech") ?? count("fueltech_group") ?? TYPICAL_SERIES[grouping] ?? 1);
}
