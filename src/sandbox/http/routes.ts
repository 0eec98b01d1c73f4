import type { CommandName } from "../../base/vocabulary.ts";
import { listFacilities } from "../listing/facilities.ts";
import { describeKey } from "../listing/me.ts";
import { listMetrics } from "../listing/metrics.ts";
import { listNetworks } from "../listing/networks.ts";
import type { DayStore } from "../model/days.ts";
import { answerData } from "./data.ts";
import type { Limits } from "./limits.ts";
import { type Answer, answerJson } from "./respond.ts";
import { refuseDetail } from "../refusal.ts";

export interface Call {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly signal: AbortSignal;
}

export interface ServerState {
  readonly limits: Limits;
  readonly days: DayStore;
  readonly now: () => number;
}

type Handler = (call: { query: URLSearchParams; signal: AbortSignal }) => Answer;

const DATA_PATHS: readonly (readonly [RegExp, CommandName])[] = [
  [/^\/data\/network\/([^/]+)$/, "network"],
  [/^\/data\/facilities\/([^/]+)$/, "facilities"],
  [/^\/market\/network\/([^/]+)$/, "market"],
];

/** The handler of a path: v4.md's three, and four others of the public service; all without /v4 too. Throws the framework's 404 and 405. */
export function findHandler(call: Call, state: ServerState): Handler {
  const path = (call.target.split("?")[0] ?? "").replace(/^\/v4(?=\/)/, "");
  const handler = findDataHandler(path, state) ?? findListing(path, state);
  if (handler === undefined) throw refuseDetail(404, "Not Found");
  if (call.method !== "GET") throw refuseDetail(405, "Method Not Allowed", { allow: "GET" });
  return handler;
}

export function queryOf(call: Call): URLSearchParams {
  const mark = call.target.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : call.target.slice(mark + 1));
}

function findDataHandler(path: string, state: ServerState): Handler | undefined {
  for (const [pattern, command] of DATA_PATHS) {
    const network = decode(pattern.exec(path)?.[1]);
    if (network !== undefined) return ({ query, signal }) => answerData({ command, network, query, signal }, state);
  }
  return undefined;
}

function findListing(path: string, state: ServerState): Handler | undefined {
  switch (path) {
    case "/me":
      return () => answerJson(200, describeKey(state.limits, state.now()));
    case "/networks":
      return () => answerJson(200, listNetworks());
    case "/metrics":
      return () => answerJson(200, listMetrics());
    case "/facilities":
    case "/facilities/":
      return ({ query }) => answerJson(200, listFacilities(query, state.now()));
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
