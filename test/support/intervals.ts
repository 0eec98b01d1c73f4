/** Facts about each interval, independent of the code under test: from the contract and from the public service. */
import type { ListedInterval } from "../../src/base/intervals.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface KnownInterval {
  /**
   * A fixed length, in milliseconds, and an interval's start, in milliseconds since 1970; otherwise calendar months.
   */
  readonly rule:
    | { readonly ms: number; readonly from: number }
    | {
        readonly months: number;
        /** A month in which an interval starts; 0 is January. */
        readonly from: number;
      };
  /** The maximum window of a request, in days, with a community key and with a paid one. */
  readonly days: readonly [community: number, paid: number];
}

export const KNOWN: Readonly<Record<ListedInterval, KnownInterval>> = {
  "5m": { rule: { ms: 5 * MINUTE, from: 0 }, days: [8, 30] },
  "30m": { rule: { ms: 30 * MINUTE, from: 0 }, days: [16, 180] },
  "1h": { rule: { ms: HOUR, from: 0 }, days: [32, 365] },
  "1d": { rule: { ms: DAY, from: 0 }, days: [366, 3650] },
  // 1970-01-04 was a Sunday.
  "7d": { rule: { ms: 7 * DAY, from: 3 * DAY }, days: [366, 3650] },
  "1M": { rule: { months: 1, from: 0 }, days: [732, 36500] },
  "3M": { rule: { months: 3, from: 0 }, days: [1830, 36500] },
  season: { rule: { months: 3, from: 0 }, days: [1830, 36500] },
  "1y": { rule: { months: 12, from: 0 }, days: [3700, 36500] },
  fy: { rule: { months: 12, from: 6 }, days: [7, 7] },
};

export const INTERVAL_NAMES = Object.keys(KNOWN) as readonly ListedInterval[];

/** The intervals of a fixed length; by default, only their windows are split. */
export const FIXED_INTERVALS = INTERVAL_NAMES.filter((interval) => "ms" in KNOWN[interval].rule);
export const CALENDAR_INTERVALS = INTERVAL_NAMES.filter((interval) => !FIXED_INTERVALS.includes(interval));

/** The maximum windows of a kind of key, in days, by interval. */
export function listDays(key: "community" | "paid", intervals: readonly ListedInterval[]): Record<string, number> {
  return Object.fromEntries(intervals.map((interval) => [interval, KNOWN[interval].days[key === "community" ? 0 : 1]]));
}
