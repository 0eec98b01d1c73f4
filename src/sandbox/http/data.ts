import type { CommandName } from "../../base/vocabulary.ts";
import type { DayStore } from "../model/days.ts";
import { type DataRequest, parseDataRequest } from "../request/request.ts";
import { resolveWindow, type Window } from "../request/window.ts";
import { clipSeries } from "../series/aggregate.ts";
import { Buckets } from "../series/buckets.ts";
import { listSeries, offsetOf } from "../series/catalogue.ts";
import { writeEnvelope } from "../series/envelope.ts";
import { clipSpans } from "../series/series.ts";
import type { Limits } from "./limits.ts";
import { refuse } from "../refusal.ts";
import type { Answer } from "./respond.ts";

export interface DataCall {
  readonly command: CommandName;
  readonly network: string;
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
}

/** Answers a data request: parameters, window, limits, series, buckets, body. Throws a Refusal. */
export function answerData(call: DataCall, state: { limits: Limits; days: DayStore; now: () => number }): Answer {
  state.limits.spendQuota();
  const now = state.now();
  const request = parseDataRequest(call.command, call.network, call.query);
  const window = resolveWindow(request, now);
  state.limits.checkWindow(request, window);
  const { buckets, stretches } = findStretches(request, window);
  const createdAt = new Date(now).toISOString();
  return { status: 200, body: writeEnvelope({ request, buckets, stretches, createdAt }, { days: state.days, signal: call.signal }) };
}

function findStretches(request: DataRequest, window: Window) {
  const series = listSeries(request);
  const spans = series.flatMap((each) => each.spans);
  const clipped = clipSpans(spans, window);
  if (clipped === undefined) throw refuseNoData(request);
  const buckets = new Buckets(request.interval, clipped, offsetOf(request));
  return { buckets, stretches: series.flatMap((each) => clipSeries(each, buckets) ?? []) };
}

function refuseNoData(request: DataRequest) {
  return refuse(404, `No data available for ${request.metrics.join(", ")} of ${request.network} in this window.`);
}
