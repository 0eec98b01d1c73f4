/** Answers that have nothing of the window that was asked for: a service or a cache that ignores it gives each window the same. */
import { INTERVALS, type Interval } from "../base/vocabulary.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { findOffsetMs } from "../series/network-offset.ts";
import { findFirstInstant, findLastInstant } from "../series/settle.ts";
import { DAY, formatLocalTime } from "../time/local-time.ts";
import type { Observation } from "./bucket-phase.ts";

/** Milliseconds by which the timestamps of an answer may be outside of its window; those of months may be names: the year in which a season ends. */
export function findSlack(interval: Interval): number {
  const { bucket } = INTERVALS[interval];
  return "ms" in bucket ? bucket.ms : Math.max(bucket.months, 12) * 31 * DAY;
}

/** Warns of an answer whose points are all more than a bucket away from its window: rows of that window are missing. */
export function warnOfOtherTimes({ plan: { query }, window: { window }, timeSeries }: Observation, warn: (text: string) => void): void {
  const { start, end = Number.POSITIVE_INFINITY } = window;
  const offset = findOffsetMs(query.network, timeSeries);
  if (start === undefined || offset === undefined || query.interval === undefined) return;
  const slack = findSlack(query.interval);
  const [first, last] = [findFirstInstant(timeSeries) + offset, findLastInstant(timeSeries) + offset];
  if (!Number.isFinite(first) || (last >= start - slack && first <= end + slack)) return;
  warn(
    `the answer for the window from ${formatLocalTime(start)} only has data of other times; ` +
      `the service may ignore ${QUERY_FLAGS.dateStart} and ${QUERY_FLAGS.dateEnd}; use ${FETCH_FLAGS.maxWindow} none to fetch it in one request`,
  );
}
