/** Limits detected in a service's answers: another maximum window, or weeks that start on another day. */
import { EntsError } from "../base/errors.ts";
import { findLastInstant } from "../series/settle.ts";
import { parseStamp } from "../time/stamp.ts";
import type { TimeSeries } from "../series/time-series.ts";
import { DAY, MINUTE } from "../time/local-time.ts";
import { type Duration } from "../time/duration.ts";
import { findNetwork, type Interval, isInterval } from "../base/vocabulary.ts";

export interface DetectedWindow {
  readonly maxWindow: Duration;
  /** The interval of the limit, where the service names it. */
  readonly interval: Interval | undefined;
}

const LIMIT = /\bmax\w*\b\D*?(\d{1,6})\s*(minute|hour|day|week|month|year)s?\b/i;
const INTERVAL = /\bfor (\w+) interval\b/i;

/** The maximum window named in a refusal: `Date range too large for 5m interval. Maximum range is 8 days.` */
export function detectMaxWindow(error: unknown): DetectedWindow | undefined {
  const refusal = error instanceof EntsError ? error.refusal : undefined;
  const limit = refusal?.status === 400 ? LIMIT.exec(refusal.said) : null;
  if (!refusal || !limit) return undefined;
  const interval = INTERVAL.exec(refusal.said)?.[1] ?? "";
  const unit = `${limit[2]?.toLowerCase()}s` as Duration["unit"];
  return { maxWindow: { amount: Number(limit[1]), unit }, interval: isInterval(interval) ? interval : undefined };
}

const WEEK = 7 * DAY;

/**
 * The start of an answer's weeks, in milliseconds after 1970-01-01 in network time, modulo 7 days;
 * undefined where its last timestamp is not midnight, or there is none.
 */
export function detectWeekStart(timeSeries: readonly TimeSeries[]): number | undefined {
  const [item] = timeSeries;
  const last = findLastInstant(timeSeries);
  if (!item || !Number.isFinite(last)) return undefined;
  const local = last - findEpoch(item);
  return local % DAY === 0 ? ((local % WEEK) + WEEK) % WEEK : undefined;
}

/** 1970-01-01 in network time, as UTC milliseconds; the offset of an unknown network is taken from the answer. */
function findEpoch({ network, fields }: TimeSeries): number {
  const offset = findNetwork(network)?.offsetMinutes;
  if (offset !== undefined) return -offset * MINUTE;
  const { network_timezone_offset: sent } = fields;
  return parseStamp("1970-01-01", typeof sent === "string" ? sent : "") ?? 0;
}
