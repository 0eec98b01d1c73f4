/** The arithmetic of retries: no clock, no chance, no I/O of its own. */

import { FETCH_OPTIONS } from "../options/fetch-options.ts";

export interface RetryPolicy {
  /** Tries after the first. */
  readonly retries: number;
  /** Longest wait before the first retry, in milliseconds; each further one doubles it. */
  readonly baseMs: number;
  /** Longest wait that the doubling reaches. */
  readonly maxMs: number;
  /** Longest wait that a service may ask for; a longer one is cut to it. */
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: FETCH_OPTIONS.retries.default, baseMs: 500, maxMs: 30_000, maxRetryAfterMs: 120_000 };

/** Answers that may pass by themselves. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

export function isRetryableStatus(status: number): boolean {
  return RETRYABLE_STATUSES.has(status);
}

export interface RetryMoment {
  /** Tries that have failed, at least 1. */
  readonly failures: number;
  /** What the service asked for, in milliseconds; undefined when it did not. */
  readonly retryAfterMs: number | undefined;
  /** Uniform in [0, 1). */
  readonly random: number;
}

/** How long to wait before the next try, in milliseconds: what the service asks for, else exponential with full jitter; undefined to give up. */
export function retryDelay({ failures, retryAfterMs, random }: RetryMoment, policy: RetryPolicy): number | undefined {
  if (failures > policy.retries) return undefined;
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, policy.maxRetryAfterMs);
  return Math.round(random * Math.min(policy.maxMs, policy.baseMs * 2 ** (failures - 1)));
}

/** A `Retry-After` header (seconds, or an HTTP date) in milliseconds from `now`; undefined when it is neither. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  // HTTP dates are in GMT, also in the old form that does not say so.
  const date = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
