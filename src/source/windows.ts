/** The answers to a plan, window by window in order of time; the rest is planned again when an answer shows other limits. */
import { type BucketRule, type Interval, isInterval } from "../base/vocabulary.ts";
import { EntsError } from "../base/errors.ts";
import { describeWhole, findLimits, type Limits } from "../plan/limits.ts";
import { cutQuery, listRequests, type Plan, type PlannedWindow } from "../plan/plan.ts";
import { type Answer, createEmptyAnswer, isKnown } from "../series/answer.ts";
import { takePart } from "../series/part.ts";
import { bucketStartBy } from "../time/buckets.ts";
import { addDuration } from "../time/calendar.ts";
import { formatLocalTime, type LocalTime } from "../time/local-time.ts";
import { createPhaseDetector, type PhaseDetector } from "./phase-detector.ts";
import { warnOfOtherTimes, warnOfUnlabelledRows } from "./suspect-answers.ts";
import { type Prefetch, prefetch } from "./prefetch.ts";
import type { Source } from "./source.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import type { Duration } from "../time/duration.ts";

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
export async function* fetchWindows(plan: Plan, options: FetchOptions): AsyncGenerator<readonly Answer[]> {
  if (plan.windows.length === 0) yield [createEmptyAnswer(undefined, new Date(plan.now).toISOString())];
  const detectPhase = createPhaseDetector(options.warn);
  for (let rest = plan; ; ) {
    const learned = yield* fetchUntilLearned(rest, { ...options, detectPhase });
    if (!learned) return;
    rest = planRest(plan, learned);
    await options.onReplan(rest, learned.why);
  }
}

/** What an answer shows of the service, so that the rest of the window is planned again. */
export interface Learned {
  readonly interval: Interval;
  readonly limits: Limits;
  /** The start of that rest. */
  readonly from: LocalTime;
  readonly why: string;
}

export interface LearningOptions extends Pick<FetchOptions, "source" | "concurrency" | "signal" | "warn"> {
  readonly detectPhase: PhaseDetector;
}

/** The answers of each window, until one shows other limits than the plan's. */
export async function* fetchUntilLearned(plan: Plan, options: LearningOptions): AsyncGenerator<readonly Answer[], Learned | undefined> {
  const { detectPhase, warn } = options;
  const requests = sendAhead(plan, options);
  try {
    for (const window of plan.windows) {
      const taken = await takeWindow(window, requests, plan);
      if ("why" in taken) return taken;
      const observation = { plan, window, timeSeries: taken.filter(isKnown).flatMap(({ timeSeries }) => timeSeries) };
      if (plan.windows.length > 1) warnOfOtherTimes(observation, warn);
      warnOfUnlabelledRows(observation, warn);
      const bucket = detectPhase(observation);
      const learned = bucket && learnPhase(bucket, window, plan);
      if (learned) await requests.cancel();
      yield taken;
      if (learned) return learned;
    }
    return undefined;
  } finally {
    await requests.cancel();
  }
}

/** The answers to each window of a plan that is known to keep to the service's limits. */
export async function* readWindows(plan: Plan, options: Omit<LearningOptions, "detectPhase">): AsyncGenerator<readonly Answer[]> {
  const requests = sendAhead(plan, options);
  try {
    for (const window of plan.windows) yield await takeAnswers(window, requests, plan);
  } finally {
    await requests.cancel();
  }
}

function sendAhead(plan: Plan, { source, concurrency, signal }: Omit<LearningOptions, "detectPhase">): Prefetch<Answer> {
  return prefetch({
    concurrency,
    signal,
    requests: listRequests(plan),
    send: (request, either) => source.send(request, either),
    read: async (received) => (await received.read()).answer,
  });
}

async function takeAnswers(window: PlannedWindow, requests: Prefetch<Answer>, plan: Plan): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { path, part } of window.requests) answers.push({ ...takePart(await requests.take(), plan.query.network, part), path });
  return answers;
}

async function takeWindow(window: PlannedWindow, requests: Prefetch<Answer>, plan: Plan): Promise<Answer[] | Learned> {
  try {
    return await takeAnswers(window, requests, plan);
  } catch (error) {
    const learned = learnFromRefusal(error, window, plan);
    if (learned) return learned;
    throw error;
  }
}

function learnFromRefusal(error: unknown, { window }: PlannedWindow, plan: Plan): Learned | undefined {
  const detected = detectMaxWindow(error);
  const interval = plan.query.interval ?? detected?.interval;
  if (!detected || interval === undefined || window.start === undefined) return undefined;
  const { maxWindow } = detected;
  if (window.end !== undefined && window.end <= addDuration(window.start, maxWindow)) return undefined;
  const { bucket } = plan.limits ?? findLimits(interval, undefined);
  const why = `the service takes at most ${maxWindow.amount} ${maxWindow.unit} per request`;
  const learned = { interval, limits: { bucket, maxWindow }, from: window.start, why };
  try {
    return planRest(plan, learned).windows.length === 1 ? undefined : learned;
  } catch (cause) {
    throw cause instanceof EntsError ? shorterThanBucket(interval, detected, cause) : cause;
  }
}

/** The last bucket of the window was cut: it is fetched again, whole, and its later points win. */
function learnPhase(
  bucket: BucketRule,
  { window: { start, end } }: PlannedWindow,
  { limits, query: { interval } }: Plan,
): Learned | undefined {
  if (!limits || interval === undefined || start === undefined || end === undefined) return undefined;
  const from = bucketStartBy(bucket, end);
  const why = `the service's ${interval} buckets start at ${formatLocalTime(from)}`;
  return { interval, limits: { ...limits, bucket }, from: Math.max(start, from), why };
}

function planRest({ query, now }: Plan, { interval, limits, from }: Learned): Plan {
  return cutQuery({ ...query, interval, window: { start: from, end: query.window.end } }, limits, now);
}

/** The maximum window of one request, detected in a service's refusal. */
interface DetectedWindow {
  readonly maxWindow: Duration;
  /** The interval of the limit, where the service names it. */
  readonly interval: Interval | undefined;
  /** The service's message. */
  readonly said: string;
}

const LIMIT = /\bmax\w*\b\D*?(\d{1,6})\s*(minute|hour|day|week|month|year)s?\b/i;
const INTERVAL = /\bfor (\w+) interval\b/i;

/** The maximum window named in a refusal: `Date range too large for 5m interval. Maximum range is 8 days.` */
function detectMaxWindow(error: unknown): DetectedWindow | undefined {
  const refusal = error instanceof EntsError ? error.refusal : undefined;
  const limit = refusal?.status === 400 ? LIMIT.exec(refusal.said) : null;
  if (!refusal || !limit) return undefined;
  const interval = INTERVAL.exec(refusal.said)?.[1] ?? "";
  const unit = `${limit[2]?.toLowerCase()}s` as Duration["unit"];
  return { maxWindow: { amount: Number(limit[1]), unit }, interval: isInterval(interval) ? interval : undefined, said: refusal.said };
}

/** Intervals whose buckets are within most limits. */
const FINER: Partial<Record<Interval, Interval>> = {
  "1h": "5m",
  "1d": "1h",
  "7d": "1d",
  "1M": "1d",
  "3M": "1M",
  season: "1M",
  "1y": "1M",
  fy: "1M",
};

function shorterThanBucket(interval: Interval, { maxWindow, said }: DetectedWindow, cause: unknown): EntsError {
  const { amount, unit } = maxWindow;
  const finer = FINER[interval] === undefined ? "" : `use a finer ${QUERY_FLAGS.interval}, such as ${FINER[interval]}\n`;
  return new EntsError(
    "usage",
    `the service's maximum window, ${amount} ${amount === 1 ? unit.slice(0, -1) : unit}, is shorter than ${describeWhole(interval)}`,
    {
      hint: `${finer}the service says: ${said}`,
      cause,
    },
  );
}
