/** The answers to a plan, window by window in order of time; the rest is planned anew when an answer teaches other limits. */
import { cutQuery, listRequests, type Plan, type PlannedRequest, type PlannedWindow } from "../plan/plan.ts";
import { findLimits, type Limits } from "../plan/limits.ts";
import type { Query } from "../query/query.ts";
import type { Envelope } from "../decode/envelope.ts";
import { joinTimeSeries } from "../series/join.ts";
import { readTimeSeries } from "../decode/time-series.ts";
import type { TimeSeries } from "../series/time-series.ts";
import { addDuration } from "../time/calendar.ts";
import type { Interval } from "../base/vocabulary.ts";
import { type Prefetch, prefetch } from "./prefetch.ts";
import { learnMaxWindow, learnWeekStart } from "./detected-limits.ts";

/** The answers to one window: one a batch. */
export interface FetchedWindow {
  readonly envelopes: readonly Envelope[];
}

export interface FetchOptions {
  readonly query: Query;
  /** Milliseconds since 1970 UTC: bounds a window without an end. */
  readonly now: number;
  readonly limits: Limits | undefined;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** `turn` resolves when the answer is about to be read. */
  readonly send: (request: PlannedRequest, signal: AbortSignal, turn: Promise<void>) => Promise<Envelope>;
  /** Told of what is left to fetch whenever that was planned anew. */
  readonly onReplan: (rest: readonly PlannedWindow[], why: string) => void | Promise<void>;
}

/** @throws {EntsError} whatever a request fails with, when its turn comes: all before it are answered. */
export async function* fetchWindows(plan: Plan, options: FetchOptions): AsyncGenerator<FetchedWindow> {
  let rest = plan.windows;
  let limits = options.limits;
  while (rest.length > 0) {
    const ahead = prefetch({ ...options, requests: listRequests({ windows: rest }) });
    try {
      const lesson = yield* fetchUntilLesson(rest, ahead, { ...options, limits });
      if (!lesson) return;
      rest = lesson.rest;
      limits = lesson.limits;
      await options.onReplan(rest, lesson.why);
    } finally {
      await ahead.cancel();
    }
  }
}

/** A new plan for what is left, and the limits that it heeds. */
interface Lesson {
  readonly rest: readonly PlannedWindow[];
  readonly limits: Limits;
  readonly why: string;
}

async function* fetchUntilLesson(
  windows: readonly PlannedWindow[],
  ahead: Prefetch<Envelope>,
  options: FetchOptions,
): AsyncGenerator<FetchedWindow, Lesson | undefined> {
  for (const window of windows) {
    const taken = await takeWindow(window, ahead, options);
    if ("limits" in taken) return taken;
    const lesson = windows.length > 1 ? learnFromWeeks(window, taken, options) : undefined;
    if (lesson) return lesson;
    yield taken;
  }
  return undefined;
}

async function takeWindow(window: PlannedWindow, ahead: Prefetch<Envelope>, options: FetchOptions): Promise<FetchedWindow | Lesson> {
  const envelopes: Envelope[] = [];
  try {
    for (const _ of window.requests) envelopes.push(await ahead.take());
    return { envelopes };
  } catch (error) {
    const lesson = learnFromRefusal(error, window, options);
    if (lesson) return lesson;
    throw error;
  }
}

/** A limit teaches something only when it is shorter than the window that was refused. */
function learnFromRefusal(error: unknown, { window }: PlannedWindow, options: FetchOptions): Lesson | undefined {
  const learned = learnMaxWindow(error);
  const interval = options.query.interval ?? learned?.interval;
  if (!learned || interval === undefined || window.start === undefined) return undefined;
  if (window.end !== undefined && window.end <= addDuration(window.start, learned.maxWindow)) return undefined;
  const { bucket } = options.limits ?? findLimits(interval, undefined);
  const lesson = planRest(window.start, interval, { ...options, limits: { bucket, maxWindow: learned.maxWindow } });
  return lesson.rest.length > 1
    ? { ...lesson, why: `the service takes at most ${learned.maxWindow.amount} ${learned.maxWindow.unit} a request` }
    : undefined;
}

/** Weeks that start on another day than Sunday must be cut there: a cut inside a bucket would leave both its halves partial. */
function learnFromWeeks({ window }: PlannedWindow, { envelopes }: FetchedWindow, options: FetchOptions): Lesson | undefined {
  const { query, limits } = options;
  if (query.interval !== "7d" || !limits || !("ms" in limits.bucket) || window.start === undefined) return undefined;
  const phase = learnWeekStart(readAnswers(envelopes));
  if (phase === undefined || phase === limits.bucket.phase % limits.bucket.ms) return undefined;
  const bucket = { ms: limits.bucket.ms, phase };
  return {
    ...planRest(window.start, query.interval, { ...options, limits: { ...limits, bucket } }),
    why: "the service's weeks do not start on Sunday",
  };
}

function planRest(start: number, interval: Interval, { query, limits, now }: FetchOptions & { limits: Limits }): Omit<Lesson, "why"> {
  const rest = { ...query, interval, window: { start, end: query.window.end } };
  return { rest: cutQuery(rest, limits, now).windows, limits };
}

/** The series of a window, of all its batches. @throws {EntsError} refused: their shape is not known. */
function readAnswers(envelopes: readonly Envelope[]): TimeSeries[] {
  return joinTimeSeries(envelopes.map((envelope) => readTimeSeries(envelope)));
}

/** The same for all windows, as they come. */
export async function* readWindows(windows: AsyncIterable<FetchedWindow>): AsyncGenerator<TimeSeries[]> {
  for await (const { envelopes } of windows) yield readAnswers(envelopes);
}
