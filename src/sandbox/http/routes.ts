import type { CommandName } from "../../base/vocabulary.ts";
import { listFacilities } from "../listing/facilities.ts";
import { describeKey, listPlans } from "../listing/plans.ts";
import { listSandboxMetrics, listNetworks } from "../listing/metrics.ts";
import type { DayStore } from "../model/days.ts";
import { type TokenRule, type SandboxAnswer, answerJson, type Caller } from "./respond.ts";
import { checkWindow, type KeyUse } from "./limits.ts";
import { refuse, refuseDetail } from "../refusal.ts";
import { type DataRequest, parseDataRequest } from "../request/request.ts";
import { resolveSteps, type StepWindow } from "../request/window.ts";
import { clipSeries } from "../series/aggregate.ts";
import { BucketTable } from "../series/buckets.ts";
import { listSeries } from "../series/catalogue.ts";
import { writeEnvelope } from "../series/envelope.ts";
import { clipSpans } from "../series/series.ts";

export interface SandboxRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly signal: AbortSignal;
}

export interface ServerState {
  readonly limits: KeyUse;
  readonly days: DayStore;
  readonly now: () => number;
}

export interface SandboxRoute {
  readonly access: TokenRule;
  readonly answer: (call: { query: URLSearchParams; caller: Caller; signal: AbortSignal }) => SandboxAnswer;
}

const DATA_PATHS: readonly (readonly [RegExp, CommandName, TokenRule])[] = [
  [/^\/data\/network\/([^/]+)$/, "network", "optional"],
  [/^\/data\/facilities\/([^/]+)$/, "facilities", "required"],
  [/^\/market\/network\/([^/]+)$/, "market", "optional"],
];

/** The route of a path: v4.md's three, and five others of the public service; all without /v4 too. Throws the framework's 404 and 405. */
export function findRoute(call: SandboxRequest, state: ServerState): SandboxRoute {
  const path = (call.target.split("?")[0] ?? "").replace(/^\/v4(?=\/)/, "");
  const route = findData(path, state) ?? findListing(path, state);
  if (route === undefined) throw refuseDetail(404, "Not Found");
  if (call.method !== "GET") throw refuseDetail(405, "Method Not Allowed", { allow: "GET" });
  return route;
}

export function queryOf(call: SandboxRequest): URLSearchParams {
  const mark = call.target.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : call.target.slice(mark + 1));
}

function findData(path: string, state: ServerState): SandboxRoute | undefined {
  for (const [pattern, command, access] of DATA_PATHS) {
    const network = decode(pattern.exec(path)?.[1]);
    if (network !== undefined) return { access, answer: (call) => answerData({ ...call, command, network }, state) };
  }
  return undefined;
}

function findListing(path: string, state: ServerState): SandboxRoute | undefined {
  switch (path) {
    case "/me":
      return { access: "required", answer: () => answerJson(200, describeKey(state.limits, state.now())) };
    case "/facilities":
    case "/facilities/":
      return { access: "required", answer: ({ query }) => answerJson(200, listFacilities(query, state.now())) };
    case "/networks":
      return { access: "public", answer: () => answerJson(200, listNetworks()) };
    case "/metrics":
      return { access: "public", answer: () => answerJson(200, listSandboxMetrics()) };
    case "/plans":
      return { access: "public", answer: () => answerJson(200, listPlans()) };
    default:
      return undefined;
  }
}

function decode(segment: string | undefined): string | undefined {
  if (segment === undefined) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

interface DataCall {
  readonly command: CommandName;
  readonly network: string;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** Answers a data request: parameters, window, limits, series, buckets, body. Throws a Refusal. */
function answerData(call: DataCall, state: { limits: KeyUse; days: DayStore; now: () => number }): SandboxAnswer {
  const { limits } = state;
  if (call.caller === "key") limits.spendQuota();
  const now = state.now();
  const request = parseDataRequest(call.command, call.network, call.query);
  const window = resolveSteps(request, now);
  checkWindow(call.caller === "key" ? limits.plan : "community", request, { window, now });
  if (window.start > window.end && call.command !== "facilities") throw refuse(400, "Date start must be before date end");
  const { buckets, stretches } = findStretches(request, window, now);
  const createdAt = new Date(now).toISOString();
  return { status: 200, body: writeEnvelope({ request, buckets, stretches, createdAt }, { days: state.days, signal: call.signal }) };
}

function findStretches(request: DataRequest, window: StepWindow, now: number) {
  const series = listSeries(request, now);
  const spans = clipSpans(
    series.flatMap((each) => each.spans),
    window,
  );
  if (spans.length === 0) throw refuse(404, `${describeNoData(request)} in the specified time range`);
  const held = { first: Math.min(...spans.map(({ first }) => first)), last: Math.max(...spans.map(({ last }) => last)) };
  const buckets = new BucketTable(request.interval, held);
  return { buckets, stretches: series.flatMap((each) => clipSeries(each, buckets) ?? []) };
}

/** As the public service words it, in Python. */
function describeNoData({ command, network, facilityCodes, unitCodes }: DataRequest): string {
  if (command !== "facilities") return `No ${command === "market" ? "market data" : "data"} available for network ${network}`;
  const filters = Object.entries({ facility: facilityCodes, unit: unitCodes }).flatMap(([name, codes]) =>
    codes === undefined ? [] : [`${name}=[${codes.map((code) => `'${code}'`).join(", ")}]`],
  );
  return `No data available for ${filters.join(", ") || "the specified filters"}`;
}
