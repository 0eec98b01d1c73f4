/** Calculates when to retry; pure: time and random numbers are arguments. Also limits the time of optional requests. */
import type { Context } from "../base/context.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";

export interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number;
  /** Maximum wait before the first retry, in milliseconds; doubles with each retry. */
  readonly baseMs: number;
  /** Upper limit of that wait, in milliseconds. */
  readonly maxMs: number;
  /** If the service asks for a longer wait, there is no retry. */
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  retries: FETCH_OPTIONS.retries.default,
  baseMs: 500,
  maxMs: 30_000,
  maxRetryAfterMs: 600_000,
};

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

export function isRetryableStatus(status: number): boolean {
  return RETRYABLE_STATUSES.has(status);
}

interface RetryMoment {
  /** Failed attempts, at least 1. */
  readonly failures: number;
  /** `Retry-After`, in milliseconds; undefined without one. */
  readonly retryAfterMs: number | undefined;
  /** Uniform in [0, 1). */
  readonly random: number;
}

/**
 * Milliseconds to wait before the next attempt: `Retry-After`, else exponential with full jitter. Undefined if there is
 * no retry.
 */
export function retryDelay({ failures, retryAfterMs, random }: RetryMoment, policy: RetryPolicy): number | undefined {
  if (failures > policy.retries || (retryAfterMs ?? 0) > policy.maxRetryAfterMs) return undefined;
  if (retryAfterMs !== undefined) return retryAfterMs;
  return Math.round(random * Math.min(policy.maxMs, policy.baseMs * 2 ** (failures - 1)));
}

/** Larger numbers of seconds are no wait but the time of a clock, since 1970; from 1e12 on, its milliseconds. */
const LONGEST_WAIT = 1e9;

/**
 * Parses a `Retry-After` or `RateLimit-Reset` header (seconds, seconds or milliseconds since 1970, or an HTTP date)
 * into milliseconds from `now`, the service's clock; undefined if it is none of them.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) {
    const number = Number(text);
    return number < LONGEST_WAIT ? number * 1000 : Math.max(0, number * (number < 1e12 ? 1000 : 1) - now);
  }
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  // HTTP dates are in GMT; the obsolete asctime form does not say so (RFC 9110, 5.6.7).
  const date = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export interface RetryEvent {
  readonly type: "retry";
  readonly reason: string;
  readonly waitMs: number;
  /** True if the service set the wait (`Retry-After`). */
  readonly isRequested: boolean;
  /** The number of the next attempt, and the maximum number of attempts. */
  readonly attempt: number;
  readonly attempts: number;
}

/** `rate limited (HTTP 429); retrying in 18 s (try 2 of 5)` */
export function describeRetry({ reason, waitMs, attempt, attempts }: RetryEvent): string {
  return `${reason}; retrying in ${Math.ceil(waitMs / 1000)} s (try ${attempt} of ${attempts})`;
}

/** Runs an optional task with a time limit: after `ms` milliseconds, the signal of its context aborts. */
export async function withTimeLimit<T>(
  context: Context,
  ms: number,
  run: (patient: Context) => Promise<T>,
): Promise<T> {
  // Node 20 may garbage-collect an AbortSignal.timeout before it aborts.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error("not soon enough")), ms);
  try {
    return await run({ ...context, signal: AbortSignal.any([context.signal, late.signal]) });
  } finally {
    clearTimeout(timer);
  }
}
