import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { findLimits, type MaxWindow } from "../plan/limits.ts";
import { planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { type Chunk, mergeWindows } from "../series/merge.ts";
import type { Source } from "./source.ts";
import { fetchWindows } from "./windows.ts";

export interface SeriesOptions {
  /** Sends the requests: what `connect` gives. */
  readonly client: Source;
  /** Maximum window of one request; default a community key's. */
  readonly maxWindow?: MaxWindow;
  /** Maximum concurrent requests; default `--concurrency`'s. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** Told when answers disagree. */
  readonly warn?: (text: string) => void;
}

/**
 * Fetches what a query asks, in as many requests as it takes, and yields the merged series chunk by chunk:
 * every instant of one chunk is before every instant of the next, and none is lost or doubled.
 * @throws {EntsError} authentication, refused or unavailable, when the retries are spent.
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
