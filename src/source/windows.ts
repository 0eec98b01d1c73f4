/** The answers to a plan, window by window in order of time; the rest is planned again when an answer shows other limits. */
import type { BucketRule, Interval } from "../base/vocabulary.ts";
import { EntsError } from "../base/errors.ts";
import { findLimits, type Limits } from "../plan/limits.ts";
import { cutQuery, listRequests, type Plan, type PlannedWindow } from "../plan/plan.ts";
import { type Answer, createEmptyAnswer, isKnown } from "../series/answer.ts";
import { bucketStartBy } from "../time/buckets.ts";
import { addDuration } from "../time/calendar.ts";
import { formatLocalTime, type LocalTime } from "../time/local-time.ts";
import { createPhaseDetector, type PhaseDetector } from "./bucket-phase.ts";
import { detectMaxWindow, shorterThanBucket } from "./detected-limits.ts";
import { warnOfOtherTimes } from "./other-times.ts";
import { type Prefetch, prefetch } from "./prefetch.ts";
import type { Source } from "./source.ts";
import { warnOfUnlabelledRows } from "./unlabelled-rows.ts";

export interface FetchOptions {
  readonly source: Source;
  /** Maximum concurrent requests. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called when the remaining requests were planned again. */
  readonly onReplan: (rest: Plan, why: string) => void | Promise<void>;
  /** Called when answers disagree, or contain what was not asked for. */
  readonly warn: (text: string) => void;
}

/**
 * Yields the answers to each window, one per batch of codes.
 * @throws {EntsError} a request's error, after the answers to all requests before it.
 */
export async function* fetchWindows(plan: Plan, { source, onReplan, warn, ...options }: FetchOptions): AsyncGenerator<readonly Answer[]> {
  if (plan.windows.length === 0) yield [createEmptyAnswer(undefined, new Date(plan.now).toISOString())];
  const detectPhase = createPhaseDetector(warn);
  for (let rest = plan; ; ) {
    const requests = prefetch({
      ...options,
      requests: listRequests(rest),
      send: (request, signal) => source.send(request, signal),
      read: async (received) => (await received.read()).answer,
    });
    try {
      const replanned = yield* fetchUntilDetected(rest, requests, { detectPhase, warn });
      if (!replanned) return;
      rest = replanned.rest;
      await onReplan(rest, replanned.why);
    } finally {
      await requests.cancel();
    }
  }
}

/** A new plan for the remaining window. */
interface Replanned {
  readonly rest: Plan;
  readonly why: string;
}

async function* fetchUntilDetected(
  plan: Plan,
  requests: Prefetch<Answer>,
  { detectPhase, warn }: Pick<FetchOptions, "warn"> & { readonly detectPhase: PhaseDetector },
): AsyncGenerator<readonly Answer[], Replanned | undefined> {
  for (const window of plan.windows) {
    const taken = await takeWindow(window, requests, plan);
    if ("rest" in taken) return taken;
    const observation = { plan, window, timeSeries: taken.filter(isKnown).flatMap(({ timeSeries }) => timeSeries) };
    if (plan.windows.length > 1) warnOfOtherTimes(observation, warn);
    warnOfUnlabelledRows(observation, warn);
    const bucket = detectPhase(observation);
    const replanned = bucket && replanByPhase(bucket, window, plan);
    if (replanned) await requests.cancel();
    yield taken;
    if (replanned) return replanned;
  }
  return undefined;
}

async function takeWindow(window: PlannedWindow, requests: Prefetch<Answer>, plan: Plan): Promise<Answer[] | Replanned> {
  const answers: Answer[] = [];
  try {
    for (const { path } of window.requests) answers.push({ ...(await requests.take()), path });
    return answers;
  } catch (error) {
    const replanned = replanByRefusal(error, window, plan);
    if (replanned) return replanned;
    throw error;
  }
}

function replanByRefusal(error: unknown, { window }: PlannedWindow, plan: Plan): Replanned | undefined {
  const detected = detectMaxWindow(error);
  const interval = plan.query.interval ?? detected?.interval;
  if (!detected || interval === undefined || window.start === undefined) return undefined;
  const { maxWindow } = detected;
  if (window.end !== undefined && window.end <= addDuration(window.start, maxWindow)) return undefined;
  const { bucket } = plan.limits ?? findLimits(interval, undefined);
  try {
    const rest = planRest(plan, window.start, { interval, limits: { bucket, maxWindow } });
    if (rest.windows.length === 1) return undefined;
    return { rest, why: `the service takes at most ${maxWindow.amount} ${maxWindow.unit} per request` };
  } catch (cause) {
    throw cause instanceof EntsError ? shorterThanBucket(interval, detected, cause) : cause;
  }
}

/** The last bucket of the window was cut: it is fetched again, whole, and its later points win. */
function replanByPhase(bucket: BucketRule, { window: { start, end } }: PlannedWindow, plan: Plan): Replanned | undefined {
  const { limits, query } = plan;
  if (!limits || query.interval === undefined || start === undefined || end === undefined) return undefined;
  const from = Math.max(start, bucketStartBy(bucket, end));
  const rest = planRest(plan, from, { interval: query.interval, limits: { ...limits, bucket } });
  return { rest, why: `the service's ${query.interval} buckets start at ${formatLocalTime(bucketStartBy(bucket, end))}` };
}

function planRest({ query, now }: Plan, start: LocalTime, { interval, limits }: { interval: Interval; limits: Limits }): Plan {
  return cutQuery({ ...query, interval, window: { start, end: query.window.end } }, limits, now);
}
