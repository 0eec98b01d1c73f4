/** The maximum window of one request, detected in a service's refusal. */
import { EntsError } from "../base/errors.ts";
import { type Duration } from "../time/duration.ts";
import { type Interval, isInterval } from "../base/vocabulary.ts";

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
