/** Fetches a plan window by window, in order of time. Plans the rest again if a response shows other limits. */
import { type BucketRule, type Interval, isInterval, findBucket, findFiner } from "../base/intervals.ts";
import { EntsError } from "../base/errors.ts";
import { describeIndivisible, findLimits, type Limits } from "../plan/limits.ts";
import { cutQuery, listRequests, type Plan, type PlannedWindow } from "../plan/plan.ts";
import { type Answer, createEmptyAnswer, isKnown, selectUsed } from "../series/answer.ts";
import { findFirstInstant, findLastInstant, hasInstant } from "../series/overlap.ts";
import { bucketStart } from "../time/buckets.ts";
import { addDuration, type Duration } from "../time/duration.ts";
import { formatLocalTime, type LocalTime, DAY } from "../time/local-time.ts";
import { createPhaseDetector, type PhaseDetector, type Observation } from "../series/buckets/phase-detector.ts";
import { prefetch } from "./prefetch.ts";
import type { Source } from "./source.ts";
import { PICK_FLAGS, PICK_OPTIONS } from "../options/list-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { stampAt, valueAt } from "../series/point-operations.ts";
import { findOffsetMs, keyOfItem, keyOfRow, nameSeries, type Series, type TimeSeries } from "../series/time-series.ts";
import type { Query } from "../query/query.ts";

export interface FetchOptions {
  readonly source: Source;
  /** Maximum concurrent requests. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called when the remaining requests have been planned again. */
  readonly onReplan: (rest: Plan, why: string) => void | Promise<void>;
  /** Called when responses disagree or contain data that was not requested. */
  readonly warn: (text: string) => void;
}

/**
 * Yields the answers for each window, one per batch of codes.
 * @throws {EntsError} the error of a request, after the answers for all earlier windows.
 */
export async function* fetchWindows(plan: Plan, options: FetchOptions): AsyncGenerator<readonly Answer[]> {
  if (plan.windows.length === 0) yield [createEmptyAnswer(undefined, new Date(plan.now).toISOString())];
  const detectPhase = createPhaseDetector(options.warn);
  const watchRepeats = createRepeatWatch(options.warn);
  for (let rest = plan; ; ) {
    const learned = yield* fetchUntilLimits(rest, { ...options, detectPhase, watchRepeats });
    if (!learned) return;
    rest = planRest(plan, learned);
    await options.onReplan(rest, learned.why);
  }
}

/** Limits or buckets that a response shows, for planning the rest of the window again. */
interface Learned {
  readonly interval: Interval;
  readonly limits: Limits;
  /** Start of the rest. */
  readonly from: LocalTime;
  readonly why: string;
}

export interface LearningOptions extends Pick<FetchOptions, "source" | "concurrency" | "signal" | "warn"> {
  readonly detectPhase: PhaseDetector;
  readonly watchRepeats: (observation: Observation) => void;
}

/** Yields the answers for each window, until a response shows limits other than the plan's; returns those. */
export async function* fetchUntilLimits(plan: Plan, options: LearningOptions): AsyncGenerator<readonly Answer[], Learned | undefined> {
  const { detectPhase, watchRepeats, warn } = options;
  const windows = readWindows(plan, options);
  try {
    for (const window of plan.windows) {
      const answers = await takeNext(windows).catch((error: unknown) => learnFromRefusal(error, window, plan));
      if ("why" in answers) return answers;
      const observation = { plan, window, timeSeries: answers.filter(isKnown).flatMap(({ timeSeries }) => timeSeries) };
      if (plan.windows.length > 1) warnOfOtherTimes(observation, warn);
      watchRepeats(observation);
      const bucket = detectPhase(observation);
      const learned = bucket && learnPhase(bucket, window, plan);
      // Cancels pending requests, which are no longer needed, before the caller uses the answers.
      if (learned) await windows.return(undefined);
      yield answers;
      if (learned) return learned;
    }
    return undefined;
  } finally {
    await windows.return(undefined);
  }
}

type Windows = AsyncGenerator<readonly Answer[], undefined>;

async function takeNext(windows: Windows): Promise<readonly Answer[]> {
  return (await windows.next()).value ?? [];
}

/** Yields the answers for each window, without checking the limits of the plan. */
export async function* readWindows(
  plan: Plan,
  { source, concurrency, signal }: Pick<FetchOptions, "source" | "concurrency" | "signal">,
): Windows {
  const requests = prefetch({
    concurrency,
    signal,
    requests: listRequests(plan),
    send: (request, either) => source.send(request, either),
    read: async (received) => (await received.read()).answer,
  });
  try {
    for (const window of plan.windows) {
      const answers: Answer[] = [];
      for (const { path } of window.requests) answers.push({ ...selectUsed(await requests.take(), plan.query), path });
      yield answers;
    }
    return undefined;
  } finally {
    await requests.cancel();
  }
}

/** @throws the error itself if it names no limit shorter than the window; {EntsError} usage: a limit shorter than a bucket. */
function learnFromRefusal(error: unknown, { window }: PlannedWindow, plan: Plan): Learned {
  const detected = detectMaxWindow(error);
  const interval = plan.query.interval ?? detected?.interval;
  if (!detected || interval === undefined || window.start === undefined) throw error;
  const { maxWindow } = detected;
  if (window.end !== undefined && window.end <= addDuration(window.start, maxWindow)) throw error;
  const { bucket } = plan.limits ?? findLimits(interval, undefined);
  const why = `the service takes at most ${maxWindow.amount} ${maxWindow.unit} per request`;
  const learned = { interval, limits: { bucket, maxWindow }, from: window.start, why };
  try {
    if (planRest(plan, learned).windows.length > 1) return learned;
  } catch (cause) {
    throw cause instanceof EntsError ? shorterThanBucket(interval, detected, cause) : cause;
  }
  throw error;
}

/** Continues at the start of the window's last bucket, which was cut: it is fetched again in full, and the later points are used. */
function learnPhase(bucket: BucketRule, { window: { start, end } }: PlannedWindow, { limits, query }: Plan): Learned | undefined {
  const { interval } = query;
  if (!limits || interval === undefined || start === undefined || end === undefined) return undefined;
  const from = bucketStart(bucket, end);
  const why = `the service's ${interval} intervals start at ${formatLocalTime(from)}`;
  return { interval, limits: { ...limits, bucket }, from: Math.max(start, from), why };
}

function planRest({ query, now }: Plan, { interval, limits, from }: Learned): Plan {
  return cutQuery({ ...query, interval, window: { start: from, end: query.window.end } }, limits, now);
}

const LIMIT = /\bmax\w*\b\D*?(\d{1,6})\s*(minute|hour|day|week|month|year)s?\b/i;
const INTERVAL = /\bfor (\w+) interval\b/i;

export type DetectedWindow = NonNullable<ReturnType<typeof detectMaxWindow>>;

/** The maximum window in an error message, with its interval, if any: `Date range too large for 5m interval. Maximum range is 8 days.` */
export function detectMaxWindow(error: unknown) {
  const refusal = error instanceof EntsError ? error.refusal : undefined;
  const limit = refusal?.status === 400 ? LIMIT.exec(refusal.said) : null;
  if (!refusal || !limit) return undefined;
  const interval = INTERVAL.exec(refusal.said)?.[1] ?? "";
  const maxWindow: Duration = { amount: Number(limit[1]), unit: `${limit[2]?.toLowerCase()}s` as Duration["unit"] };
  return { maxWindow, interval: isInterval(interval) ? interval : undefined, said: refusal.said };
}

export function shorterThanBucket(interval: Interval, { maxWindow, said }: DetectedWindow, cause: unknown): EntsError {
  const { amount, unit } = maxWindow;
  const longest = `${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`;
  const other = findFiner(interval);
  const finer = other === undefined ? "" : `use a finer ${QUERY_FLAGS.interval}, such as ${other}\n`;
  return new EntsError("usage", `the service's maximum window, ${longest}, is shorter than ${describeIndivisible(interval)}`, {
    hint: `${finer}the service says: ${said}`,
    cause,
  });
}

/**
 * Milliseconds by which the timestamps of a response may be outside its window. For months and longer they may be labels instead of
 * starts: the year in which a season ends.
 */
export function findSlack(interval: Interval): number {
  const bucket = findBucket(interval);
  return "ms" in bucket ? bucket.ms : Math.max(bucket.months, 12) * 31 * DAY;
}

/** Warns if all points of a response are more than a bucket away from its window, so that the rows of the window are missing. */
export function warnOfOtherTimes({ plan: { query }, window: { window }, timeSeries }: Observation, warn: (text: string) => void): void {
  const { start, end = Number.POSITIVE_INFINITY } = window;
  const offset = findOffsetMs(query.network, timeSeries);
  if (start === undefined || offset === undefined || query.interval === undefined) return;
  const slack = findSlack(query.interval);
  const [first, last] = [findFirstInstant(timeSeries) + offset, findLastInstant(timeSeries) + offset];
  if (!Number.isFinite(first) || (last >= start - slack && first <= end + slack)) return;
  warn(
    `the response for the window from ${formatLocalTime(start)} only has data of other times; ` +
      `the service may ignore ${QUERY_FLAGS.dateStart} and ${QUERY_FLAGS.dateEnd}; use ${FETCH_FLAGS.maxWindow} none to fetch it in one request`,
  );
}

/** Says once that rows cannot be told apart, or that a response has a timestamp or a series twice. */
export function createRepeatWatch(warn: (text: string) => void): (observation: Observation) => void {
  let hasWarned = false;
  return ({ plan: { query }, timeSeries }) => {
    if (hasWarned) return;
    const text =
      lacksFacilities(query) && hasUnidentifiedRows(timeSeries)
        ? `output does not identify units; add ${PICK_FLAGS.facility}, ${PICK_OPTIONS.networkRegion.short}, ${PICK_FLAGS.fueltech} or ${QUERY_FLAGS.facilityCode}`
        : describeRepeat(timeSeries);
    if (text === undefined) return;
    hasWarned = true;
    warn(text);
  };
}

/** `power_NSW1 has two values at 2025-01-31T14:05:00+10:00 (1 and 2)`; undefined if each series has each timestamp once. */
function describeRepeat(timeSeries: readonly TimeSeries[]): string | undefined {
  const rest = "; all are in the output";
  const seen = new Map<string, Series>();
  for (const item of timeSeries) {
    for (const series of item.series) {
      const { points } = series;
      const at = findRepeat(series);
      if (at !== undefined) {
        const [one, other] = [at - 1, at].map((index) => valueAt(points, index) ?? "null");
        return `the service sent two values for ${nameSeries(series)} at ${stampAt(points, at)} (${one} and ${other}), and perhaps more${rest}`;
      }
      const key = keyOfItem(item) + keyOfRow(item, series);
      const twin = seen.get(key);
      if (twin && points.instants.some((instant) => hasInstant(twin.points, instant)))
        return `the service sent the series ${nameSeries(series)} twice in one response${rest}`;
      seen.set(key, series);
    }
  }
  return undefined;
}

/** True if a series has several rows for one timestamp, but no label that identifies their units. */
export function hasUnidentifiedRows(timeSeries: readonly TimeSeries[]): boolean {
  return timeSeries.some(({ series }) => series.some((each) => Object.keys(each.labels).length === 0 && findRepeat(each) !== undefined));
}

/** True if the query could name facilities but does not; naming them adds labels to the response. */
export function lacksFacilities({ command, parameters }: Query): boolean {
  return command === "facilities" && !parameters.some(({ name }) => name === "facility_code");
}

/** The index of the first point with the timestamp of the one before. */
function findRepeat({ points: { instants } }: Series): number | undefined {
  for (let index = 1; index < instants.length; index++) if (instants[index] === instants[index - 1]) return index;
  return undefined;
}
