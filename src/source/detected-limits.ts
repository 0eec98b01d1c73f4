/** The maximum window of one request, detected in a service's refusal. */
import { EntsError } from "../base/errors.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { describeWhole } from "../plan/limits.ts";
import { type Duration } from "../time/duration.ts";
import { type Interval, isInterval } from "../base/vocabulary.ts";

export interface DetectedWindow {
  readonly maxWindow: Duration;
  /** The interval of the limit, where the service names it. */
  readonly interval: Interval | undefined;
  /** The service's message. */
  readonly said: string;
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

export function shorterThanBucket(interval: Interval, { maxWindow, said }: DetectedWindow, cause: unknown): EntsError {
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
