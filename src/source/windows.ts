/** The answers to a plan, window by window in order of time; the rest is planned again when an answer shows other limits. */
import type { Interval } from "../base/vocabulary.ts";
import { findLimits, type Limits } from "../plan/limits.ts";
import { cutQuery, listRequests, type Plan, type PlannedWindow } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { type Answer, isKnown } from "../series/answer.ts";
import { addDuration } from "../time/calendar.ts";
import { detectMaxWindow, detectWeekStart } from "./detected-limits.ts";
import { type Prefetch, prefetch } from "./prefetch.ts";
import type { Source } from "./source.ts";

export interface FetchOptions {
  readonly query: Query;
  readonly source: Source;
  /** Milliseconds since 1970 UTC: the end of an open window. */
  readonly now: number;
  readonly limits: Limits | undefined;
  /** Maximum concurrent requests. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called when the remaining requests were planned again. */
  readonly onReplan: (rest: Plan, why: string) => void | Promise<void>;
}

/**
 * Yields the answers to each window, one per batch of codes.
 * @throws {EntsError} a request's error, after the answers to all requests before it.
 */
export async function* fetchWindows(plan: Plan, options: FetchOptions): AsyncGenerator<readonly Answer[]> {
  let rest = plan;
  let limits = options.limits;
  while (rest.windows.length > 0) {
    const requests = prefetch({
      ...options,
      requests: listRequests(rest),
      send: (request, signal) => options.source.send(request, signal),
      read: async (received) => (await received.read()).answer,
    });
    try {
      const replanned = yield* fetchUntilDetected(rest, requests, { ...options, limits });
      if (!replanned) return;
      rest = replanned.rest;
      limits = replanned.limits;
      await options.onReplan(rest, replanned.why);
    } finally {
      await requests.cancel();
    }
  }
}

/** A new plan for the remaining window, and its limits. */
interface Replanned {
  readonly rest: Plan;
  readonly limits: Limits;
  readonly why: string;
}

async function* fetchUntilDetected(
  { windows }: Plan,
  requests: Prefetch<Answer>,
  options: FetchOptions,
): AsyncGenerator<readonly Answer[], Replanned | undefined> {
  for (const window of windows) {
    const taken = await takeWindow(window, requests, options);
    if ("limits" in taken) return taken;
    const replanned = windows.length > 1 ? replanByWeeks(window, taken, options) : undefined;
    if (replanned) return replanned;
    yield taken;
  }
  return undefined;
}

async function takeWindow(window: PlannedWindow, requests: Prefetch<Answer>, options: FetchOptions): Promise<Answer[] | Replanned> {
  const answers: Answer[] = [];
  try {
    for (const _ of window.requests) answers.push(await requests.take());
    return answers;
  } catch (error) {
    const replanned = replanByRefusal(error, window, options);
    if (replanned) return replanned;
    throw error;
  }
}

/** Undefined where the refused window is within the limit that the refusal names. */
function replanByRefusal(error: unknown, { window }: PlannedWindow, options: FetchOptions): Replanned | undefined {
  const detected = detectMaxWindow(error);
  const interval = options.query.interval ?? detected?.interval;
  if (!detected || interval === undefined || window.start === undefined) return undefined;
  const { maxWindow } = detected;
  if (window.end !== undefined && window.end <= addDuration(window.start, maxWindow)) return undefined;
  const { bucket } = options.limits ?? findLimits(interval, undefined);
  const replanned = planRest(window.start, interval, { ...options, limits: { bucket, maxWindow } });
  if (replanned.rest.windows.length === 1) return undefined;
  return { ...replanned, why: `the service takes at most ${maxWindow.amount} ${maxWindow.unit} per request` };
}

/** Weeks may start on another day than Sunday; a cut inside a bucket would leave both its halves partial. */
function replanByWeeks({ window }: PlannedWindow, answers: readonly Answer[], options: FetchOptions): Replanned | undefined {
  const { query, limits } = options;
  if (query.interval !== "7d" || !limits || !("ms" in limits.bucket) || window.start === undefined) return undefined;
  const phase = detectWeekStart(answers.filter(isKnown).flatMap(({ timeSeries }) => timeSeries));
  if (phase === undefined || phase === limits.bucket.phase % limits.bucket.ms) return undefined;
  const bucket = { ms: limits.bucket.ms, phase };
  return {
    ...planRest(window.start, query.interval, { ...options, limits: { ...limits, bucket } }),
    why: "the service's weeks do not start on Sunday",
  };
}

function planRest(start: number, interval: Interval, { query, limits, now }: FetchOptions & { limits: Limits }): Omit<Replanned, "why"> {
  const rest = { ...query, interval, window: { start, end: query.window.end } };
  return { rest: cutQuery(rest, limits, now), limits };
}
