/** Fetches a plan window by window, in order of time. Plans the rest again if a response shows other limits. */
import { type Interval, isInterval, findFiner } from "../base/intervals.ts";
import { EntsError } from "../base/errors.ts";
import { describeIndivisible, type WindowLimits } from "../plan/limits.ts";
import { cutQuery, listRequests, type Plan, type PlannedWindow } from "../plan/plan.ts";
import { type DecodedResponse, createEmptyResponse, isKnown, selectUsed } from "../series/decoded-response.ts";
import { addDuration, type Duration } from "../time/duration.ts";
import type { LocalTime } from "../time/local-time.ts";
import { type CheckWindow, createWindowCheck } from "./check-window.ts";
import { prefetch } from "./prefetch.ts";
import type { Source } from "./source.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";

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
 * Yields the responses for each window, one per batch of codes.
 * @throws {EntsError} the error of a request, after the responses for all earlier windows.
 */
export async function* fetchWindows(plan: Plan, options: FetchOptions): AsyncGenerator<readonly DecodedResponse[]> {
  if (plan.windows.length === 0) yield [createEmptyResponse(undefined, new Date(plan.now).toISOString())];
  const checkWindow = createWindowCheck(options.warn);
  for (let rest = plan; ; ) {
    const isCut = rest !== plan || plan.windows.length > 1;
    const refused = yield* fetchUntilRefused(rest, {
      ...options,
      check: (observed) => checkWindow({ ...observed, isCut }),
    });
    if (!refused) return;
    rest = planRest(plan, refused);
    await options.onReplan(rest, refused.why);
  }
}

/** Limits that a response names, for planning the rest of the window again. */
interface Learned {
  readonly limits: WindowLimits;
  /** Start of the rest. */
  readonly from: LocalTime;
  readonly why: string;
}

interface CheckedOptions extends Pick<FetchOptions, "source" | "concurrency" | "signal"> {
  readonly check: (observed: Omit<Parameters<CheckWindow>[0], "isCut">) => void;
}

/** Yields the responses for each window, until the service refuses one as too long; returns what it says. */
async function* fetchUntilRefused(
  plan: Plan,
  options: CheckedOptions,
): AsyncGenerator<readonly DecodedResponse[], Learned | undefined> {
  const windows = readWindows(plan, options);
  try {
    for (const window of plan.windows) {
      const responses = await takeNext(windows).catch((error: unknown) => learnFromRefusal(error, window, plan));
      if ("why" in responses) return responses;
      const timeSeries = responses.filter(isKnown).flatMap((decoded) => decoded.timeSeries);
      options.check({ query: plan.query, window: window.window, timeSeries });
      yield responses;
    }
    return undefined;
  } finally {
    await windows.return(undefined);
  }
}

type Windows = AsyncGenerator<readonly DecodedResponse[], undefined>;

async function takeNext(windows: Windows): Promise<readonly DecodedResponse[]> {
  return (await windows.next()).value ?? [];
}

/** Yields the responses for each window, without checking the limits of the plan. */
export async function* readWindows(
  plan: Plan,
  { source, concurrency, signal }: Pick<FetchOptions, "source" | "concurrency" | "signal">,
): Windows {
  const requests = prefetch({
    concurrency,
    signal,
    requests: listRequests(plan),
    send: (request, either) => source.send(request, either),
    read: async (received) => {
      const { decoded } = await received.read();
      received.release?.();
      return decoded;
    },
  });
  try {
    for (const window of plan.windows) {
      const responses: DecodedResponse[] = [];
      for (const { path } of window.requests)
        responses.push({ ...selectUsed(await requests.take(), plan.query), path });
      yield responses;
    }
    return undefined;
  } finally {
    await requests.cancel();
  }
}

/**
 * @throws the error itself if it names no limit shorter than the window; {EntsError} usage: a limit shorter than an
 * interval.
 */
function learnFromRefusal(error: unknown, { window }: PlannedWindow, plan: Plan): Learned {
  const detected = detectMaxWindow(error);
  const interval = plan.query.interval ?? detected?.interval;
  if (!detected || interval === undefined || window.start === undefined) throw error;
  const { maxWindow } = detected;
  if (window.end !== undefined && window.end <= addDuration(window.start, maxWindow)) throw error;
  const why = `the service takes at most ${maxWindow.amount} ${maxWindow.unit} per request`;
  const learned = { limits: { interval, maxWindow }, from: window.start, why };
  try {
    if (planRest(plan, learned).windows.length > 1) return learned;
  } catch (cause) {
    throw cause instanceof EntsError ? shorterThanInterval(interval, detected, cause) : cause;
  }
  throw error;
}

function planRest({ query, now }: Plan, { limits, from }: Learned): Plan {
  return cutQuery({ ...query, interval: limits.interval }, limits, { now, from });
}

const LIMIT = /\bmax\w*\b\D*?(\d{1,6})\s*(minute|hour|day|week|month|year)s?\b/i;
const INTERVAL = /\bfor (\w+) interval\b/i;

export type DetectedWindow = NonNullable<ReturnType<typeof detectMaxWindow>>;

/**
 * The maximum window in an error message, with its interval, if any: `Date range too large for 5m interval. Maximum
 * range is 8 days.`
 */
export function detectMaxWindow(error: unknown) {
  const refusal = error instanceof EntsError ? error.refusal : undefined;
  const limit = refusal?.status === 400 ? LIMIT.exec(refusal.said) : null;
  if (!refusal || !limit) return undefined;
  const interval = INTERVAL.exec(refusal.said)?.[1] ?? "";
  const maxWindow: Duration = { amount: Number(limit[1]), unit: `${limit[2]?.toLowerCase()}s` as Duration["unit"] };
  return { maxWindow, interval: isInterval(interval) ? interval : undefined, said: refusal.said };
}

export function shorterThanInterval(
  interval: Interval,
  { maxWindow, said }: DetectedWindow,
  cause: unknown,
): EntsError {
  const { amount, unit } = maxWindow;
  const longest = `${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`;
  const other = findFiner(interval);
  const finer = other === undefined ? "" : `use a finer ${QUERY_FLAGS.interval}, such as ${other}\n`;
  return new EntsError(
    "usage",
    `the service's maximum window, ${longest}, is shorter than ${describeIndivisible(interval)}`,
    {
      hint: `${finer}the service says: ${said}`,
      cause,
    },
  );
}
