/**
 * Interprets 401s. Until the token has worked in a run, a 401 counts as a refused token. After that, the
 * service may have made a mistake, or the daily quota is spent. Nothing in the response tells these cases apart.
 */
import type { Token } from "../settings/token.ts";
import type { RetryPolicy } from "./retry.ts";
import { findRule, isInterval } from "../base/intervals.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { networkNow } from "../plan/plan.ts";
import { lengthsOf } from "../time/calendar.ts";
import { formatDuration } from "../time/duration.ts";
import { DAY, MINUTE } from "../time/local-time.ts";

/** Consecutive 401s that are retried once the token has worked. Those of concurrent requests count as one. */
const MAX_RETRYABLE_401S = 2;
/**
 * Maximum wait before the first retry; longer than for other failures, as an identity provider takes seconds to
 * restart.
 */
const BASE_MS = 5000;

export type TokenWatch = ReturnType<typeof createTokenWatch>;

/** Delays the decision on a 401 while other requests are pending: their responses may show that the token works. */
export function createTokenWatch({ replace }: Pick<Token, "replace">, now: () => number) {
  let worked = false;
  let refusals = 0;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let underWay = 0;
  let waiting: (() => void)[] = [];
  const release = () => {
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    start: (): void => {
      underWay += 1;
    },
    /** A request has ended, with or without a response. */
    end: (): void => {
      underWay -= 1;
      if (underWay === 0) release();
    },
    accept: (): void => {
      worked = true;
      refusals = 0;
      release();
    },
    /**
     * Resolves when it is known whether the token works: at once if it has worked, else when a request is accepted or
     * none is pending.
     */
    waitForOthers: async (): Promise<void> => {
      if (!worked && underWay > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    /** A request sent at `sentAt`, in monotonic milliseconds, received a 401. */
    refuse: (sentAt: number): void => {
      // Requests sent before the last refusal add no information.
      if (sentAt < refusedAt) return;
      refusals += 1;
      refusedAt = now();
    },
    /**
     * The retry policy for a request whose last attempt received a 401. `failures`: its failed attempts of any kind.
     */
    limitRetries: (policy: RetryPolicy, failures: number): RetryPolicy => {
      const left = worked ? MAX_RETRYABLE_401S - refusals : -1;
      return { ...policy, baseMs: BASE_MS, retries: Math.min(policy.retries, failures + left) };
    },
    /** Advice when no attempt is left. */
    advise: (): string =>
      worked
        ? `it worked earlier in this run, so its daily quota is probably spent: try again tomorrow, or ${replace}`
        : `${replace}; a spent daily quota looks the same: if it worked today, try again tomorrow`,
  };
}

/** True for `Error executing query`, the public service's response to a query that is too heavy. */
export function isHeavyQuery(status: number, said: string | undefined): boolean {
  return status === 500 && /\bexecuting query\b/i.test(said ?? "");
}

/** Suggests half the window of a request, if it can be split. */
export function adviseSmallerWindow({ pathname, searchParams }: URL, now: number): string {
  const half = findHalf(searchParams, networkNow(decodeURIComponent(pathname.split("/").at(-1) ?? ""), now));
  return `if it fails again, use ${half === undefined ? "a shorter window or fewer metrics" : `a smaller ${FETCH_FLAGS.maxWindow}, such as ${half}`}`;
}

const UNITS = [
  { unit: "days", ms: DAY },
  { unit: "hours", ms: 60 * MINUTE },
  { unit: "minutes", ms: MINUTE },
] as const;

/** Undefined if the request has no window or no interval, or if half the window is shorter than an interval. */
function findHalf(query: URLSearchParams, now: number | undefined): string | undefined {
  const [start, end, interval] = ["date_start", "date_end", "interval"].map((name) => query.get(name) ?? undefined);
  const to = end === undefined ? now : Date.parse(`${end}Z`);
  if (start === undefined || to === undefined || interval === undefined || !isInterval(interval)) return undefined;
  const half = (to - Date.parse(`${start}Z`)) / 2;
  const rule = findRule(interval);
  const { unit, ms } = UNITS.find((candidate) => half >= candidate.ms) ?? UNITS[2];
  const amount = Math.round(half / ms);
  return amount * ms < lengthsOf(rule).longest ? undefined : formatDuration({ amount, unit });
}
