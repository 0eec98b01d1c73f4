import type { Parameter, Query } from "../query/query.ts";
import type { Window } from "../query/window.ts";
import { formatLocalTime, type LocalTime, MINUTE } from "../time/local-time.ts";
import { type CommandName, findNetwork } from "../base/vocabulary.ts";
import { batchParameters } from "./batch.ts";
import { cutWindow } from "./cut.ts";
import { estimatePoints } from "./estimate.ts";
import { findLimits, type Limits, type MaxWindow } from "./limits.ts";

/** One request, as it will be sent. */
export interface PlannedRequest {
  readonly method: "GET";
  /** Path and query, relative to the base address: `/v4/data/network/NEM?metrics=power`. */
  readonly path: string;
  /** About how many points will answer it; undefined where nothing tells. */
  readonly points: number | undefined;
  /** The instant by which its window has ended, in milliseconds since 1970 UTC; undefined where its end is open. */
  readonly endsBy: number | undefined;
}

/** One stretch of the window, and the requests for it: one a batch of codes. */
export interface PlannedWindow {
  readonly window: Window;
  readonly requests: readonly PlannedRequest[];
}

/** All requests of a query, settled before the first is made: windows in order of time. */
export interface Plan {
  readonly windows: readonly PlannedWindow[];
}

/** What is known, besides the query, when it is planned. */
export interface PlanFacts {
  /** Milliseconds since 1970 UTC: bounds a window without an end. */
  readonly now: number;
  /** `--max-window`, or what was configured. */
  readonly maxWindow: MaxWindow | undefined;
}

/** A window that fits, or that the user left open, is one request with exactly the user's parameters. */
export function planQuery(query: Query, facts: PlanFacts): Plan {
  return query.interval === undefined
    ? { windows: [planWindow(query, query.window, facts.now)] }
    : cutQuery(query, findLimits(query.interval, facts.maxWindow), facts.now);
}

/** Plans a query, or what is left of its window, by limits that are known. @throws {EntsError} usage: shorter than a bucket. */
export function cutQuery(query: Query, limits: Limits, now: number): Plan {
  const { start, end } = query.window;
  const last = end ?? networkNow(query.network, now);
  const cuts = start === undefined || last === undefined ? [] : cutWindow({ start, end: last }, limits);
  const windows = [start, ...cuts].map((from, index) => ({ start: from, end: cuts[index] ?? end }));
  return { windows: windows.map((window) => planWindow(query, window, now)) };
}

/** All requests of a plan, in the order in which they are made. */
export function listRequests({ windows }: Plan): PlannedRequest[] {
  return windows.flatMap(({ requests }) => requests);
}

/** The network's wall clock, where its offset is known. */
export function networkNow(network: string, now: number): number | undefined {
  const offset = findNetwork(network)?.offsetMinutes;
  return offset === undefined ? undefined : now + offset * MINUTE;
}

function planWindow(query: Query, window: Window, now: number): PlannedWindow {
  const endsBy = window.end === undefined ? undefined : latestInstant(query.network, window.end);
  const requests = batchParameters(replaceWindow(query.parameters, window)).map((parameters): PlannedRequest => {
    const asked = { ...query, window, parameters };
    return { method: "GET", path: formatPath(asked), points: estimatePoints(asked, now), endsBy };
  });
  return { window, requests };
}

/** Where the clocks of the world are the furthest behind UTC. */
const WESTERNMOST_OFFSET = -12 * 60;

/** The instant of a network's wall clock; for a network whose offset is not known the latest that it can be. */
function latestInstant(network: string, local: LocalTime): number {
  return local - (findNetwork(network)?.offsetMinutes ?? WESTERNMOST_OFFSET) * MINUTE;
}

/** The user's parameters in the user's order, with a piece's window; one that an inner piece needs is added. */
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
