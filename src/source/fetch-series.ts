import { EntsError } from "../base/errors.ts";
import { warnOnce } from "../base/report.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import type { MaxWindow } from "../plan/limits.ts";
import { type GapPlace, networkNow, type Plan, planAcross, type PlannedRequest, planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { isKnown } from "../series/answer.ts";
import { type GapOptions, Gaps } from "../series/gaps.ts";
import { type Chunk, type LookAcross, type MergeOptions, mergeWindows } from "../series/merge.ts";
import { DAY } from "../time/local-time.ts";
import { createPause } from "./pause.ts";
import { findSlack } from "./suspect-answers.ts";
import type { Source } from "./source.ts";
import { type FetchOptions, fetchWindows, readWindows } from "./windows.ts";

export interface SeriesOptions {
  /** From `connect`. */
  readonly client: Source;
  /** Maximum window of one request; default a community key's, and none from 1M on. */
  readonly maxWindow?: MaxWindow;
  /** Whether all chunks are joined before they are used, as json, table, pictures and pivots do: nulls of gaps may then come at the end, and none is missing. */
  readonly collects?: boolean;
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
  const gaps = createGaps(plan, { collects: options.collects ?? false });
  const fetchOptions = { source: client, concurrency, signal, onReplan: () => {}, warn: warnOnce(warn ?? (() => {})) };
  return warnAtEnd(fetchPlan(plan, fetchOptions, gaps), gaps, fetchOptions.warn);
}

/** Warns of gaps that were not written as a single answer has them. */
export async function* warnAtEnd(chunks: AsyncIterable<Chunk>, gaps: Gaps, warn: (text: string) => void): AsyncGenerator<Chunk> {
  yield* chunks;
  for (const text of [gaps.problem, gaps.doubt]) if (text !== undefined) warn(text);
}

/** Fetches a plan, and merges its windows; it is planned again where answers show other limits. */
export function fetchPlan(plan: Plan, options: FetchOptions & Omit<MergeOptions, "gaps">, gaps: Gaps): AsyncGenerator<Chunk> {
  let { limits } = plan;
  const onReplan: FetchOptions["onReplan"] = (rest, why) => {
    ({ limits } = rest);
    return options.onReplan(rest, why);
  };
  const lookAcross = createLook((gap) => planAcross({ ...plan, limits }, gap), options);
  return mergeWindows(fetchWindows(plan, { ...options, onReplan }), options.warn, {
    lookAcross,
    pause: createPause(options.signal),
    ...options,
    gaps,
  });
}

/** Merges a plan whose answers are at hand, and have shown all limits. */
export function readPlan(
  plan: Plan,
  options: Omit<FetchOptions, "onReplan"> & Omit<MergeOptions, "gaps">,
  gaps: Gaps,
): AsyncGenerator<Chunk> {
  return mergeWindows(readWindows(plan, options), options.warn, { ...options, gaps });
}

/** Asks across a gap of a plan, as `mergeWindows` does. */
export function createLookAcross(plan: Plan, options: Pick<FetchOptions, "source" | "signal">): LookAcross {
  return createLook((gap) => planAcross(plan, gap), options);
}

/** Asks across a gap, once. Where no answer comes of it, the question stays open: all rows are at hand without it. */
function createLook(
  planLook: (gap: GapPlace) => PlannedRequest | undefined,
  { source, signal }: Pick<FetchOptions, "source" | "signal">,
): LookAcross {
  let hasAsked = false;
  return async (gap) => {
    const request = hasAsked ? undefined : planLook(gap);
    if (!request) return undefined;
    hasAsked = true;
    try {
      const { answer } = await (await source.send(request, signal)).read();
      return isKnown(answer) ? answer.timeSeries : undefined;
    } catch (error) {
      if (error instanceof EntsError && error.kind !== "output") return undefined;
      throw error;
    }
  };
}

/** So many buckets before the window, at most, a point stands that is known from before. */
const BEFORE = 3;

/** For a plan that is fetched, also again and again. */
export function createGaps({ query: { network, interval }, now, windows }: Plan, options: Pick<GapOptions, "collects"> = {}): Gaps {
  const start = windows[0]?.window.start ?? Number.NEGATIVE_INFINITY;
  // This machine's clock may be behind the service's.
  const end = windows.at(-1)?.window.end ?? (networkNow(network, now) ?? Number.POSITIVE_INFINITY) + DAY;
  const slack = interval === undefined ? Number.POSITIVE_INFINITY : findSlack(interval);
  return new Gaps({ ...options, interval, longest: end - start + BEFORE * slack });
}
