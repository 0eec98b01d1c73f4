import { EntsError } from "../base/errors.ts";
import { warnOnce } from "../base/report.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import type { MaxWindow } from "../plan/limits.ts";
import { listAskedWindows, networkNow, type Plan, planAcross, planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import type { Window } from "../query/window.ts";
import { isKnown } from "../series/decoded-response.ts";
import { type GapOptions, Gaps } from "../series/gaps.ts";
import type { ComputeOptions } from "../series/computed/compute.ts";
import { type Chunk, type FetchAcrossGap, type MergeOptions, mergeWindows } from "../series/merge.ts";
import { DAY } from "../time/local-time.ts";
import { createPause } from "./read-response.ts";
import { findSlack } from "./check-window.ts";
import { type FetchOptions, fetchWindows } from "./windows.ts";
import type { Source } from "./source.ts";

export interface SeriesOptions {
  /** From `connect`. */
  readonly client: Source;
  /** Maximum window of one request; by default that of a community key, and none for intervals of 1M and longer. */
  readonly maxWindow?: MaxWindow;
  /**
   * True if all chunks are joined before use, as for json, tables, pictures and pivots: nulls of gaps may come last;
   * none is missing.
   */
  readonly collects?: boolean;
  /** Maximum concurrent requests; by default that of `--concurrency`. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** Called once per warning, for example if two responses disagree. */
  readonly warn?: (text: string) => void;
}

/**
 * Fetches a query in as many requests as needed and yields the merged series in chunks. All instants of a chunk are
 * before those of the next; none is lost or duplicated.
 * @throws {EntsError} authentication, refused or unavailable, after all retries.
 */
export function fetchSeries(query: Query, options: SeriesOptions): AsyncGenerator<Chunk> {
  const {
    client,
    maxWindow,
    collects = false,
    concurrency = FETCH_OPTIONS.concurrency.default,
    signal = new AbortController().signal,
    warn,
  } = options;
  const plan = planQuery(query, { now: Date.now(), maxWindow });
  const gaps = createGaps(plan, { collects });
  const fetchOptions = { source: client, concurrency, signal, onReplan: () => {}, warn: warnOnce(warn ?? (() => {})) };
  const told = { collects, warn: fetchOptions.warn, note: fetchOptions.warn };
  const computed = computeIfNeeded(fetchPlan(plan, fetchOptions, gaps), query, told);
  return warnAtEnd(transformIfNeeded(computed, query, told), gaps, fetchOptions.warn);
}

/** What is printed of merged chunks: what came, or what is computed from it. */
export async function* computeIfNeeded(
  chunks: AsyncIterable<Chunk>,
  { computation, ...query }: Query,
  options: ComputeOptions,
): AsyncGenerator<Chunk> {
  const compute = computation && (await import("../series/computed/compute.ts")).computeChunks;
  yield* compute ? compute(chunks, { ...query, computation }, options) : chunks;
}

/** What is printed of what came or was computed: perhaps with values of other intervals or series. */
export async function* transformIfNeeded(
  chunks: AsyncIterable<Chunk>,
  { transforms, ...query }: Query,
  options: Pick<ComputeOptions, "collects" | "warn">,
): AsyncGenerator<Chunk> {
  const transform = transforms && (await import("../series/transforms/transform.ts")).transformChunks;
  yield* transform ? transform(chunks, { ...query, transforms }, options) : chunks;
}

/** Yields the chunks, then warns of gaps that differ, or may differ, from those of a single response. */
export async function* warnAtEnd(
  chunks: AsyncIterable<Chunk>,
  gaps: Gaps,
  warn: (text: string) => void,
): AsyncGenerator<Chunk> {
  yield* chunks;
  for (const text of [gaps.problem, gaps.doubt]) if (text !== undefined) warn(text);
}

type PlanOptions = FetchOptions & Omit<MergeOptions, "gaps">;

/** Fetches a plan and merges its windows. Plans the rest again if a response shows other limits. */
export function fetchPlan(plan: Plan, options: PlanOptions, gaps: Gaps): AsyncGenerator<Chunk> {
  const latest = { ...plan };
  const onReplan: FetchOptions["onReplan"] = (rest, why) => {
    latest.limits = rest.limits;
    return options.onReplan(rest, why);
  };
  const fetchAcrossGap = createFetchAcrossGap(latest, options);
  const pause = createPause(options.signal);
  return mergeWindows(fetchWindows(plan, { ...options, onReplan }), options.warn, {
    fetchAcrossGap,
    pause,
    ...options,
    gaps,
  });
}

/** Sends one request across a gap, at most once per plan. Returns undefined if it fails: no row depends on it. */
export function createFetchAcrossGap(
  plan: Plan,
  { source, signal }: Pick<FetchOptions, "source" | "signal">,
): FetchAcrossGap {
  let hasAsked = false;
  return async (gap) => {
    const request = hasAsked ? undefined : planAcross(plan, gap);
    if (!request) return undefined;
    hasAsked = true;
    try {
      const { decoded } = await (await source.send(request, signal)).read();
      return isKnown(decoded) ? decoded.timeSeries : undefined;
    } catch (error) {
      if (error instanceof EntsError && error.kind !== "output") return undefined;
      throw error;
    }
  };
}

/** A gap may exceed the window by this many times the slack: the point before it may be before the window. */
const BEFORE = 3;

/** For a plan that is fetched once, or repeatedly with `--follow`. */
export function createGaps({ query, now, windows }: Plan, options: Pick<GapOptions, "collects"> = {}): Gaps {
  const { network, interval, earlier } = query;
  const asked = listAskedWindows(query).at(-1) as Window;
  const start = windows[0]?.window.start ?? Number.NEGATIVE_INFINITY;
  // This machine's clock may be behind the service's.
  const end = windows.at(-1)?.window.end ?? (networkNow(network, now) ?? Number.POSITIVE_INFINITY) + DAY;
  const slack = interval === undefined ? Number.POSITIVE_INFINITY : findSlack(interval);
  const longest = end - start + BEFORE * slack;
  // What was not asked for is no gap.
  const apart = earlier ? (asked.start ?? end) - (earlier.end ?? start) : longest;
  return new Gaps({ ...options, interval, longest: Math.min(longest, apart) });
}
