import type { CommandName } from "../../base/vocabulary.ts";
import type { DayStore } from "../model/days.ts";
import { type DataRequest, parseDataRequest } from "../request/request.ts";
import { resolveWindow, type Window } from "../request/window.ts";
import { clipSeries } from "../series/aggregate.ts";
import { Buckets } from "../series/buckets.ts";
import { listSeries } from "../series/catalogue.ts";
import { writeEnvelope } from "../series/envelope.ts";
import { clipSpans } from "../series/series.ts";
import type { Caller } from "./authorize.ts";
import { checkWindow, type Limits } from "./limits.ts";
import { refuse } from "../refusal.ts";
import type { Answer } from "./respond.ts";

export interface DataCall {
  readonly command: CommandName;
  readonly network: string;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** Answers a data request: parameters, window, limits, series, buckets, body. Throws a Refusal. */
export function answerData(call: DataCall, state: { limits: Limits; days: DayStore; now: () => number }): Answer {
  const { limits } = state;
  if (call.caller === "key") limits.spendQuota();
  const now = state.now();
  const request = parseDataRequest(call.command, call.network, call.query);
  const window = resolveWindow(request, now);
  checkWindow(call.caller === "key" ? limits.plan : "community", request, { window, now });
  if (window.start > window.end && call.command !== "facilities") throw refuse(400, "Date start must be before date end");
  const { buckets, stretches } = findStretches(request, window, now);
  const createdAt = new Date(now).toISOString();
  return { status: 200, body: writeEnvelope({ request, buckets, stretches, createdAt }, { days: state.days, signal: call.signal }) };
}

function findStretches(request: DataRequest, window: Window, now: number) {
  const series = listSeries(request, now);
  const spans = clipSpans(
    series.flatMap((each) => each.spans),
    window,
  );
  if (spans.length === 0) throw refuse(404, `${describeNoData(request)} in the specified time range`);
  const held = { first: Math.min(...spans.map(({ first }) => first)), last: Math.max(...spans.map(({ last }) => last)) };
  const buckets = new Buckets(request.interval, held);
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
