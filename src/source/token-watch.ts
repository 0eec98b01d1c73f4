/**
 * What a 401 means (in-practice.md, Errors): until a run's token has worked, that it is refused. After that the service may be
 * confused for a moment, or the daily quota is spent, which looks the same.
 */
import type { Token } from "../settings/token.ts";
import type { RetryPolicy } from "./retry.ts";
import { INTERVALS, isInterval } from "../base/vocabulary.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { networkNow } from "../plan/plan.ts";
import { bucketLengths } from "../time/buckets.ts";
import { formatDuration } from "../time/duration.ts";
import { DAY, MINUTE } from "../time/local-time.ts";

export interface TokenWatch {
  /** A request is sent. */
  start(): void;
  /** It has ended, with or without an answer. */
  end(): void;
  /** A request was answered. */
  accept(): void;
  /** Resolves when it is known whether the token has worked: at once, or when a request that is under way is answered, or all have ended. */
  waitForOthers(): Promise<void>;
  /** A request that was sent at `sentAt` got a 401. */
  refuse(sentAt: number): void;
  /** The policy for a request whose last attempt got a 401, after so many failures of any kind. */
  limitRetries(policy: RetryPolicy, failures: number): RetryPolicy;
  /** The next step, once no attempt is left. */
  advise(): string;
}

/** 401s in a row that may pass. Those of requests that were under way together count as one. */
const MAX_PASSING = 2;
/** Longer than for other failures: an identity provider restarts in seconds. */
const BASE_MS = 5000;

/** A 401 that comes while other requests are under way waits for what they say of the token. */
export function createTokenWatch({ replace }: Pick<Token, "replace">, now: () => number): TokenWatch {
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
    start: () => {
      underWay += 1;
    },
    end: () => {
      underWay -= 1;
      if (underWay === 0) release();
    },
    accept: () => {
      worked = true;
      refusals = 0;
      release();
    },
    waitForOthers: () => (worked || underWay === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    refuse: (sentAt) => {
      // One that was under way when another was refused says nothing new.
      if (sentAt < refusedAt) return;
      refusals += 1;
      refusedAt = now();
    },
    limitRetries: (policy, failures) => {
      const left = worked ? MAX_PASSING - refusals : -1;
      return { ...policy, baseMs: BASE_MS, retries: Math.min(policy.retries, failures + left) };
    },
    advise: () =>
      worked
        ? `it worked earlier in this run, so its daily quota is probably spent: try again tomorrow, or ${replace}`
        : `${replace}; a spent daily quota looks the same: if it worked today, try again tomorrow`,
  };
}

/** `Error executing query`: what the public service says of a query that is too heavy (in-practice.md, Errors). */
export function isHeavyQuery(status: number, said: string | undefined): boolean {
  return status === 500 && /\bexecuting query\b/i.test(said ?? "");
}

/** Proposes half of the window of a request, where that can be split. */
export function adviseSmallerWindow({ pathname, searchParams }: URL, now: number): string {
  const half = findHalf(searchParams, networkNow(decodeURIComponent(pathname.split("/").at(-1) ?? ""), now));
  return `if it fails again, use ${half === undefined ? "a shorter window or fewer metrics" : `a smaller ${FETCH_FLAGS.maxWindow}, such as ${half}`}`;
}

const UNITS = [
  { unit: "days", ms: DAY },
  { unit: "hours", ms: 60 * MINUTE },
  { unit: "minutes", ms: MINUTE },
] as const;

/** Undefined where a window, or an interval to cut it by, was not given, or half of it is shorter than a bucket. */
function findHalf(query: URLSearchParams, now: number | undefined): string | undefined {
  const [start, end, interval] = ["date_start", "date_end", "interval"].map((name) => query.get(name) ?? undefined);
  const to = end === undefined ? now : Date.parse(`${end}Z`);
  if (start === undefined || to === undefined || interval === undefined || !isInterval(interval)) return undefined;
  const half = (to - Date.parse(`${start}Z`)) / 2;
  const { bucket } = INTERVALS[interval];
  const { unit, ms } = UNITS.find((one) => half >= one.ms) ?? UNITS[2];
  const amount = Math.round(half / ms);
  return amount * ms < bucketLengths(bucket).longest ? undefined : formatDuration({ amount, unit });
}
