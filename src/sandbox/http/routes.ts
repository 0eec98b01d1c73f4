import { type CommandName, isForecast } from "../../base/vocabulary.ts";
import { listFacilities, describeKey, listNetworks, PLANS, listSandboxMetrics } from "./listing.ts";
import { clipSpans } from "../model/clock.ts";
import type { DayStore } from "../model/system.ts";
import { refuse, refuseDetail } from "../refusal.ts";
import { clipSeries, keepOnly, type SandboxSeries } from "../series/series.ts";
import { IntervalTable } from "../series/intervals.ts";
import { listSeries } from "../series/catalogue.ts";
import { writeEnvelope } from "../series/envelope.ts";
import { checkWindow, type KeyUse } from "./limits.ts";
import { type DataRequest, parseDataRequest, resolveForecastSteps, resolveSteps, type StepWindow } from "./request.ts";
import { answerJson, type Caller, type SandboxAnswer, type TokenRule } from "./respond.ts";

interface SandboxRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
}

export interface ServerState {
  readonly limits: KeyUse;
  readonly days: DayStore;
  readonly now: () => number;
}

interface Call {
  readonly query: URLSearchParams;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** `segment`: the text matched by the group of the path's pattern, decoded. */
type Handler = (call: Call, state: ServerState, segment: string) => SandboxAnswer;

/** The three paths of v4, and five others of the public service. */
const ROUTES: readonly (readonly [path: RegExp, access: TokenRule, handler: Handler])[] = [
  [/^\/data\/network\/([^/]+)$/, "optional", answerData("network")],
  [/^\/data\/facilities\/([^/]+)$/, "required", answerData("facilities")],
  [/^\/market\/network\/([^/]+)$/, "optional", answerData("market")],
  [/^\/facilities\/?$/, "required", ({ query }, { now }) => answerJson(200, listFacilities(query, now()))],
  [/^\/me$/, "required", (_, { limits, now }) => answerJson(200, describeKey(limits, now()))],
  [/^\/networks$/, "public", () => answerJson(200, listNetworks())],
  [/^\/metrics$/, "public", () => answerJson(200, listSandboxMetrics())],
  [/^\/plans$/, "public", () => answerJson(200, PLANS)],
];

/** Finds the route of a path, with or without /v4. @throws {SandboxRefusal} the framework's 404 or 405. */
export function findRoute(
  { method, target }: SandboxRequest,
  state: ServerState,
): { readonly access: TokenRule; readonly answer: (call: Call) => SandboxAnswer } {
  const path = target.replace(/\?.*/s, "").replace(/^\/v4(?=\/)/, "");
  for (const [pattern, access, handler] of ROUTES) {
    const match = pattern.exec(path);
    if (match === null) continue;
    if (method !== "GET") throw refuseDetail(405, "Method Not Allowed", { allow: "GET" });
    return { access, answer: (call) => handler(call, state, decode(match[1] ?? "")) };
  }
  throw refuseDetail(404, "Not Found");
}

export function queryOf({ target }: Pick<SandboxRequest, "target">): URLSearchParams {
  const mark = target.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1));
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Answers a data request: parameters, window, limits, series, intervals, body. The handler throws a SandboxRefusal. */
function answerData(command: CommandName): Handler {
  return ({ query, caller, signal }, state, network) => {
    const { limits, days } = state;
    if (caller === "key") limits.spendQuota();
    const now = state.now();
    const request = parseDataRequest(command, network, query);
    const [forecasts, measured] = [
      request.metrics.filter(isForecast),
      request.metrics.filter((metric) => !isForecast(metric)),
    ];
    const windows = {
      measured: measured.length === 0 ? undefined : resolveSteps(request, now),
      forecast: forecasts.length === 0 ? undefined : resolveForecastSteps(request, now),
    };
    const used = Object.values(windows).filter((window) => window !== undefined);
    for (const window of used) checkWindow(caller === "key" ? limits.plan : "community", request, { window, now });
    if (used.every(({ start, end }) => start > end) && command !== "facilities")
      throw refuse(400, "Date start must be before date end");
    const reply = { request, ...findStretches(request, windows, now), now };
    return { status: 200, body: writeEnvelope(reply, { days, signal }) };
  };
}

/** The windows of measured and forecast data; undefined if none were asked for. */
interface Windows {
  readonly measured: StepWindow | undefined;
  readonly forecast: StepWindow | undefined;
}

function findStretches(request: DataRequest, { measured, forecast }: Windows, now: number) {
  const windowOf = ({ metric }: SandboxSeries) => (isForecast(metric) ? forecast : measured);
  const clip = measured && forecast ? clipValues : clipSeriesSpans;
  const series = listSeries(request, now).map((each) => clip(each, windowOf(each)));
  const spans = series.flatMap((each) => each.spans);
  if (spans.length === 0) throw refuse(404, `${describeNoData(request)} in the specified time range`);
  const held = {
    first: Math.min(...spans.map(({ first }) => first)),
    last: Math.max(...spans.map(({ last }) => last)),
  };
  const intervals = new IntervalTable(request.interval, held);
  return { intervals, stretches: series.flatMap((each) => clipSeries(each, intervals) ?? []) };
}

function clipSeriesSpans(series: SandboxSeries, window: StepWindow | undefined): SandboxSeries {
  return { ...series, spans: window === undefined ? [] : clipSpans(series.spans, window) };
}

/** Measured and forecast data may share an interval of which their windows have different parts. */
function clipValues(series: SandboxSeries, window: StepWindow | undefined): SandboxSeries {
  const clipped = clipSeriesSpans(series, window);
  const fill: SandboxSeries["fill"] = (day, into) => {
    series.fill(day, into);
    keepOnly(into, clipped.spans, day.day);
  };
  return { ...clipped, fill };
}

/** In the wording of the public service, with lists in Python syntax. */
function describeNoData({ command, network, facilityCodes, unitCodes }: DataRequest): string {
  if (command !== "facilities")
    return `No ${command === "market" ? "market data" : "data"} available for network ${network}`;
  const filters = Object.entries({ facility: facilityCodes, unit: unitCodes }).flatMap(([name, codes]) =>
    codes === undefined ? [] : [`${name}=[${codes.map((code) => `'${code}'`).join(", ")}]`],
  );
  return `No data available for ${filters.join(", ") || "the specified filters"}`;
}
