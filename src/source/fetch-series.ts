import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { findLimits, type MaxWindow } from "../plan/limits.ts";
import { planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { type Chunk, mergeWindows } from "../series/merge.ts";
import type { Source } from "./source.ts";
import { fetchWindows } from "./windows.ts";

export interface SeriesOptions {
  /** From `connect`. */
  readonly client: Source;
  /** Maximum window of one request; default a community key's. */
  readonly maxWindow?: MaxWindow;
  /** Maximum concurrent requests; default `--concurrency`'s. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** Called when answers disagree. */
  readonly warn?: (text: string) => void;
}

/**
 * Fetches a query in as many requests as needed and yields the merged series in chunks:
 * all instants of a chunk are before those of the next, and none is lost or doubled.
 * @throws {EntsError} authentication, refused or unavailable, after the retries.
 */
export function fetchSeries(query: Query, options: SeriesOptions): AsyncGenerator<Chunk> {
  const {
    client,
    maxWindow,
    concurrency = FETCH_OPTIONS.concurrency.default,
    signal = new AbortController().signal,
    warn = () => {},
  } = options;
  const now = Date.now();
  const windows = fetchWindows(planQuery(query, { now, maxWindow }), {
    query,
    source: client,
    now,
    limits: query.interval && findLimits(query.interval, maxWindow),
    concurrency,
    signal,
    onReplan: () => {},
  });
  return mergeWindows(windows, warn);
}
