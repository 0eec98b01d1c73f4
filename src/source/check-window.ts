/** What the response for one window of a query is checked for. */
import { EntsError } from "../base/errors.ts";
import { findRule, type Interval } from "../base/intervals.ts";
import { findNetwork } from "../base/vocabulary.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { PICK_FLAGS, PICK_OPTIONS } from "../options/list-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import type { Query } from "../query/query.ts";
import type { Window } from "../query/window.ts";
import { findFirstInstant, findLastInstant, hasInstant } from "../series/overlap.ts";
import { timestampAt, valueAt } from "../series/point-operations.ts";
import {
  findNetworkOffset,
  findOffsetMs,
  keyOfItem,
  keyOfRow,
  nameSeries,
  type Series,
  type TimeSeries,
} from "../series/time-series.ts";
import { intervalStart } from "../time/calendar.ts";
import { DAY, formatLocalTime, MINUTE } from "../time/local-time.ts";
import { readClock } from "../time/timestamp.ts";

interface ObservedWindow {
  readonly query: Query;
  readonly window: Window;
  /** Whether the query takes several windows. */
  readonly isCut: boolean;
  readonly timeSeries: readonly TimeSeries[];
}

/** @throws {EntsError} refused: the responses of several windows cannot be joined. */
export type CheckWindow = (observed: ObservedWindow) => void;

/** Each kind of warning comes once. */
export function createWindowCheck(warn: (text: string) => void): CheckWindow {
  let hasWarned = false;
  return (observed) => {
    if (observed.isCut) checkStarts(observed);
    if (observed.isCut) warnOfOtherTimes(observed, warn);
    const text = hasWarned ? undefined : describeRepeats(observed);
    if (text === undefined) return;
    hasWarned = true;
    warn(text);
  };
}

/** Timestamps read per series. */
const PROBES = 100;

/**
 * Windows are cut at the calendar's interval starts. A service whose days start at six o'clock would return a part of a
 * day for each side of a cut. Not checked: the edges of the window, which may be the timestamps of partial intervals;
 * and financial years, which the public service timestamps with 1 January of the year in which they end.
 */
function checkStarts({ query: { network, interval }, window: { start, end }, timeSeries }: ObservedWindow): void {
  if (interval === undefined || interval === "fy") return;
  for (const item of timeSeries) {
    const offset = findNetwork(network)?.offsetMinutes ?? findNetworkOffset(item);
    const localOf = ({ points }: Series, index: number) =>
      offset === undefined
        ? readClock(timestampAt(points, index))
        : (points.instants[index] as number) + offset * MINUTE;
    for (const series of item.series) {
      const { length } = series.points.instants;
      for (let index = 0; index < length; index += Math.ceil(length / PROBES)) {
        const local = localOf(series, index);
        const expected = intervalStart(interval, local);
        if (local !== expected && local !== start && local !== end)
          throw refuseStart(timestampAt(series.points, index), interval, expected);
      }
    }
  }
}

function refuseStart(timestamp: string, interval: Interval, expected: number): EntsError {
  return new EntsError(
    "refused",
    `cannot join several requests: the service sent an interval of ${interval} that starts at ${timestamp}; expected ${formatLocalTime(expected)}`,
    { hint: `use ${FETCH_FLAGS.maxWindow} none if one request can hold the whole window` },
  );
}

/**
 * Milliseconds by which the timestamps of a response may be outside its window. For months and longer they may be
 * labels instead of starts: the year in which a season ends.
 */
export function findSlack(interval: Interval): number {
  const rule = findRule(interval);
  return "ms" in rule ? rule.ms : Math.max(rule.months, 12) * 31 * DAY;
}

/**
 * Warns if all points of a response are more than an interval away from its window, so that the rows of the window are
 * missing.
 */
function warnOfOtherTimes({ query, window, timeSeries }: ObservedWindow, warn: (text: string) => void): void {
  const { start, end = Number.POSITIVE_INFINITY } = window;
  const offset = findOffsetMs(query.network, timeSeries);
  if (start === undefined || offset === undefined || query.interval === undefined) return;
  const slack = findSlack(query.interval);
  const [first, last] = [findFirstInstant(timeSeries) + offset, findLastInstant(timeSeries) + offset];
  if (!Number.isFinite(first) || (last >= start - slack && first <= end + slack)) return;
  warn(
    `the response for the window from ${formatLocalTime(start)} only has data of other times; ` +
      `the service may ignore ${QUERY_FLAGS.dateStart} and ${QUERY_FLAGS.dateEnd}; use ${FETCH_FLAGS.maxWindow} none to fetch it in one request`,
  );
}

/** Message that rows cannot be told apart, or that a response has a timestamp or a series twice. */
function describeRepeats({ query, timeSeries }: ObservedWindow): string | undefined {
  return lacksFacilities(query) && hasUnidentifiedRows(timeSeries)
    ? `output does not identify units; add ${PICK_FLAGS.facility}, ${PICK_OPTIONS.networkRegion.short}, ${PICK_FLAGS.fueltech} or ${QUERY_FLAGS.facilityCode}`
    : describeRepeat(timeSeries);
}

/**
 * `power_NSW1 has two values at 2025-01-31T14:05:00+10:00 (1 and 2)`; undefined if each series has each timestamp once.
 */
function describeRepeat(timeSeries: readonly TimeSeries[]): string | undefined {
  const rest = "; all are in the output";
  const seen = new Map<string, Series>();
  for (const item of timeSeries) {
    for (const series of item.series) {
      const { points } = series;
      const at = findRepeat(series);
      if (at !== undefined) {
        const [one, other] = [at - 1, at].map((index) => valueAt(points, index) ?? "null");
        return `the service sent two values for ${nameSeries(series)} at ${timestampAt(points, at)} (${one} and ${other}), and perhaps more${rest}`;
      }
      const key = keyOfItem(item) + keyOfRow(item, series);
      const twin = seen.get(key);
      if (twin && points.instants.some((instant) => hasInstant(twin.points, instant)))
        return `the service sent the series ${nameSeries(series)} twice in one response${rest}`;
      seen.set(key, series);
    }
  }
  return undefined;
}

/** True if a series has several rows for one timestamp, but no label that identifies their units. */
export function hasUnidentifiedRows(timeSeries: readonly TimeSeries[]): boolean {
  return timeSeries.some(({ series }) =>
    series.some((each) => Object.keys(each.labels).length === 0 && findRepeat(each) !== undefined),
  );
}

/** True if the query could name facilities but does not; naming them adds labels to the response. */
export function lacksFacilities({ command, parameters }: Query): boolean {
  return command === "facilities" && !parameters.some(({ name }) => name === "facility_code");
}

/** The index of the first point with the timestamp of the one before. */
function findRepeat({ points: { instants } }: Series): number | undefined {
  for (let index = 1; index < instants.length; index++) if (instants[index] === instants[index - 1]) return index;
  return undefined;
}
