/** What an output that is continued keeps of its description. */
import type { Json, JsonObject } from "../../base/json.ts";
import { findNetwork } from "../../base/vocabulary.ts";
import type { Query } from "../../query/query.ts";
import { formatInstant, type LoggedSeries } from "../../series/series-log.ts";
import { parseStamp } from "../../time/stamp.ts";
import { formatOffset } from "../../time/local-time.ts";
import type { Descriptor } from "./descriptor.ts";

/** Where the description of a file stands. */
export function findDescriptor(output: string): string {
  return `${output}.datapackage.json`;
}

/** The part of an output that a run leaves as it was. */
export interface Kept {
  /** All its rows are before this instant, in milliseconds since 1970 UTC. */
  readonly until: number;
  readonly rows: number;
  /** Undefined where the output had none. */
  readonly descriptor: Descriptor | undefined;
}

/** The series that begin in it, up to its end. */
export function listKeptSeries(kept: Kept | undefined): readonly LoggedSeries[] {
  if (!kept?.descriptor) return [];
  const { until, descriptor } = kept;
  return descriptor.series.filter(({ first }) => first < until).map((one) => ({ ...one, last: Math.min(one.last, until - 1) }));
}

/** Before the first gap of it that may lack nulls. */
export function findUnfilled(kept: Kept | undefined): number | undefined {
  const since = kept?.descriptor?.unfilledSince;
  return since !== undefined && since < (kept?.until ?? since) ? since : undefined;
}

/** The requests that rows of it are from. */
export function listKeptRequests(kept: Kept | undefined, query: Pick<Query, "network">): readonly JsonObject[] {
  if (!kept?.descriptor) return [];
  return kept.descriptor.requests.filter(
    ({ path, rows_from: from }) => (typeof from === "string" ? Date.parse(from) : findStart(path, query)) < kept.until,
  );
}

/** Where the window of a request begins in the part that is kept: from when on there are rows of it, as `rows_from`. */
export function markRequest(request: JsonObject, kept: Kept | undefined, query: Pick<Query, "network">): JsonObject {
  if (!kept || findStart(request["path"], query) >= kept.until || !Number.isFinite(kept.until)) return request;
  return { ...request, rows_from: formatInstant(kept.until) };
}

function findStart(path: Json | undefined, { network }: Pick<Query, "network">): number {
  const offset = formatOffset(findNetwork(network)?.offsetMinutes ?? 0);
  const start = typeof path === "string" ? new URLSearchParams(path.split("?")[1]).get("date_start") : null;
  return (start === null ? undefined : parseStamp(start, offset)) ?? 0;
}
