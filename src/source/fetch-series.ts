import type { Client } from "./client.ts";
import { findLimits, type MaxWindow } from "../plan/limits.ts";
import { planQuery } from "../plan/plan.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import type { Query } from "../query/query.ts";
import { countPoints } from "../series/settle.ts";
import type { TimeSeries } from "../series/time-series.ts";
import { mergeWindows } from "../series/merge.ts";
import { fetchWindows, readWindows } from "./windows.ts";

export interface SeriesOptions {
  readonly client: Client;
  /** Longest window of one request; default a community key's. */
  readonly maxWindow?: MaxWindow;
  /** Most requests at once; default `--concurrency`'s. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** Told when answers disagree. */
  readonly warn?: (text: string) => void;
}

/**
 * Fetches what a query asks, in as many requests as it takes, and yields the merged series piece by piece:
 * every instant of one piece is before every instant of the next, and none is lost or doubled.
 * @throws {EntsError} authentication, refused or unavailable, when the retries are spent.
 */
export async function* fetchSeries(query: Query, options: SeriesOptions): AsyncGenerator<TimeSeries[]> {
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
    now,
    limits: query.interval && findLimits(query.interval, maxWindow),
    concurrency,
    signal,
    send: async (request, abort, turn) => {
      const answer = await client.send(request, abort);
      await turn;
      return (await answer.read()).envelope;
    },
    onReplan: () => {},
  });
  for await (const piece of mergeWindows(readWindows(windows), warn)) if (countPoints(piece) > 0) yield piece;
}
