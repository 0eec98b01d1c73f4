import type { Query } from "./query/query.ts";
import { estimatePoints } from "./query/estimate.ts";
import type { CommandName } from "./vocabulary.ts";

/** One request, as it will be sent. */
export interface PlannedRequest {
  readonly method: "GET";
  /** Path and query, relative to the base address: `/v4/data/network/NEM?metrics=power`. */
  readonly path: string;
  /** About how many points will answer it; undefined where nothing tells. */
  readonly points: number | undefined;
}

/** All requests of a query, settled before the first is made. */
export interface Plan {
  readonly requests: readonly PlannedRequest[];
}

/** v4.md, Endpoints. */
const PATHS = {
  network: "/v4/data/network/",
  facilities: "/v4/data/facilities/",
  market: "/v4/market/network/",
} as const satisfies Record<CommandName, string>;

/** Plans a query whose window the service takes in one request. `now` (ms since 1970 UTC) bounds a window without an end. */
export function planQuery(query: Query, now: number): Plan {
  return { requests: [{ method: "GET", path: formatPath(query), points: estimatePoints(query, now) }] };
}

/** A parameter of several values is repeated (v4.md, Rules). */
function formatPath({ command, network, parameters }: Query): string {
  const search = new URLSearchParams();
  for (const { name, values } of parameters) for (const value of values) search.append(name, value);
  return `${PATHS[command]}${encodeURIComponent(network)}?${search}`;
}
