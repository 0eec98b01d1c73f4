/** Answers that have nothing of the window that was asked for: a service or a cache that ignores it gives each window the same. */
import { type Interval, INTERVALS } from "../base/vocabulary.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { findOffsetMs } from "../series/network-offset.ts";
import { findFirstInstant, findLastInstant } from "../series/overlap.ts";
import { DAY, formatLocalTime } from "../time/local-time.ts";
import type { Observation } from "./phase-detector.ts";
import type { Query } from "../query/query.ts";
import type { Series } from "../series/time-series.ts";

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

/** Warns of rows of several units without labels. All of them come out. */
export function warnOfUnlabelledRows({ plan: { query }, timeSeries }: Observation, warn: (text: string) => void): void {
  const series = timeSeries.flatMap((item) => item.series);
  if (!lacksFacilities(query) || !series.some((each) => Object.keys(each.labels).length === 0 && repeatsInstant(each))) return;
  warn(`rows of several units have no label to tell them apart; add ${QUERY_FLAGS.facilityCode} to get the unit_code of each`);
}

/** Whether naming facilities would bring the labels. */
export function lacksFacilities({ command, parameters }: Query): boolean {
  return command === "facilities" && !parameters.some(({ name }) => name === "facility_code");
}

function repeatsInstant({ points: { instants } }: Series): boolean {
  for (let index = 1; index < instants.length; index++) if (instants[index] === instants[index - 1]) return true;
  return false;
}
