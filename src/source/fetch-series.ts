import { warnOnce } from "../base/report.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import type { MaxWindow } from "../plan/limits.ts";
import { type Plan, planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { Gaps } from "../series/gaps.ts";
import { type Chunk, mergeWindows } from "../series/merge.ts";
import type { Source } from "./source.ts";
import { type FetchOptions, fetchWindows } from "./windows.ts";

export interface SeriesOptions {
  /** From `connect`. */
  readonly client: Source;
  /** Maximum window of one request; default a community key's, and none from 1M on. */
  readonly maxWindow?: MaxWindow;
  /** Maximum concurrent requests; default `--concurrency`'s. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** Called with each warning once, such as that two answers disagree. */
  readonly warn?: (text: string) => void;
}

/**
 * Fetches a query in as many requests as needed and yields the merged series in chunks:
 * all instants of a chunk are before those of the next, and none is lost or doubled.
 * @throws {EntsError} authentication, refused or unavailable, after the retries.
 */
export function fetchSeries(query: Query, options: SeriesOptions): AsyncGenerator<Chunk> {
  const { client, maxWindow, concurrency = FETCH_OPTIONS.concurrency.default, signal = new AbortController().signal, warn } = options;
  const plan = planQuery(query, { now: Date.now(), maxWindow });
  const gaps = new Gaps({ interval: query.interval });
  const fetchOptions = { source: client, concurrency, signal, onReplan: () => {}, warn: warnOnce(warn ?? (() => {})) };
  return warnAtEnd(fetchPlan(plan, fetchOptions, gaps), () => gaps.problem !== undefined && fetchOptions.warn(gaps.problem));
}

async function* warnAtEnd(chunks: AsyncIterable<Chunk>, warn: () => void): AsyncGenerator<Chunk> {
  yield* chunks;
  warn();
}

/** The same for a plan. */
export function fetchPlan(plan: Plan, options: FetchOptions, gaps: Gaps): AsyncGenerator<Chunk> {
  return mergeWindows(fetchWindows(plan, options), options.warn, gaps);
}
