import type { CommandName } from "../../base/vocabulary.ts";
import { listFacilities } from "../listing/facilities.ts";
import { describeKey } from "../listing/me.ts";
import { listMetrics } from "../listing/metrics.ts";
import { listNetworks } from "../listing/networks.ts";
import { listPlans } from "../listing/plans.ts";
import type { DayStore } from "../model/days.ts";
import type { Access, Caller } from "./authorize.ts";
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

export interface Route {
  readonly access: Access;
  readonly answer: (call: { query: URLSearchParams; caller: Caller; signal: AbortSignal }) => Answer;
}

const DATA_PATHS: readonly (readonly [RegExp, CommandName, Access])[] = [
  [/^\/data\/network\/([^/]+)$/, "network", "optional"],
  [/^\/data\/facilities\/([^/]+)$/, "facilities", "required"],
  [/^\/market\/network\/([^/]+)$/, "market", "optional"],
];

/** The route of a path: v4.md's three, and five others of the public service; all without /v4 too. Throws the framework's 404 and 405. */
export function findRoute(call: Call, state: ServerState): Route {
  const path = (call.target.split("?")[0] ?? "").replace(/^\/v4(?=\/)/, "");
  const route = findData(path, state) ?? findListing(path, state);
  if (route === undefined) throw refuseDetail(404, "Not Found");
  if (call.method !== "GET") throw refuseDetail(405, "Method Not Allowed", { allow: "GET" });
  return route;
}

export function queryOf(call: Call): URLSearchParams {
  const mark = call.target.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : call.target.slice(mark + 1));
}

function findData(path: string, state: ServerState): Route | undefined {
  for (const [pattern, command, access] of DATA_PATHS) {
    const network = decode(pattern.exec(path)?.[1]);
    if (network !== undefined) return { access, answer: (call) => answerData({ ...call, command, network }, state) };
  }
  return undefined;
}

function findListing(path: string, state: ServerState): Route | undefined {
  switch (path) {
    case "/me":
      return { access: "required", answer: () => answerJson(200, describeKey(state.limits, state.now())) };
    case "/facilities":
    case "/facilities/":
      return { access: "required", answer: ({ query }) => answerJson(200, listFacilities(query, state.now())) };
    case "/networks":
      return { access: "public", answer: () => answerJson(200, listNetworks()) };
    case "/metrics":
      return { access: "public", answer: () => answerJson(200, listMetrics()) };
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
