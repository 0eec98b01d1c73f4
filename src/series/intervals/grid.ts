/** The intervals of a series: the end of each, the next one, and those missing from a response. */
import { findRule, type Interval } from "../../base/intervals.ts";
import { addInterval, intervalOfTimestamp, intervalPieces } from "../../time/calendar.ts";
import { MINUTE } from "../../time/local-time.ts";
import { createCachedTimestampShifter, printAsSent, type TimestampPrinter } from "../../time/timestamp-printer.ts";
import type { PlacedSeries } from "../layout/layout.ts";
import { hasInnerNull, timestampAt } from "../point-operations.ts";
import type { Instants, Points } from "../points.ts";
import {
  findInterval,
  findNetworkOffset,
  findOffsetMs,
  nameSeries,
  type Series,
  type TimeSeries,
} from "../time-series.ts";

/**
 * The end of an interval, in milliseconds since 1970 UTC; undefined without an interval, or for months without
 * `networkOffset` (minutes).
 */
export function findIntervalEnd(
  interval: Interval | undefined,
  instant: number,
  networkOffset: number | undefined,
): number | undefined {
  if (interval === undefined) return undefined;
  const rule = findRule(interval);
  if ("ms" in rule) return instant + rule.ms;
  if (networkOffset === undefined) return undefined;
  const offset = networkOffset * MINUTE;
  return intervalOfTimestamp(interval, instant + offset)[1] - offset;
}

/** True for intervals whose timestamps are not their starts. */
export function isMarkedInside(interval: Interval | undefined): boolean {
  return interval === "fy" || interval === "season";
}

/**
 * The edges of an interval that a row shows, `count` of them: its end, or its start and end. Undefined where there are
 * none: a summer of January, February and December of one year is no interval.
 */
export function findEdges(
  instant: number,
  { interval, networkOffset }: IntervalClock,
  count: number,
): readonly (number | undefined)[] {
  if (count === 0) return [];
  if (!isMarkedInside(interval))
    return [...(count > 1 ? [instant] : []), findIntervalEnd(interval, instant, networkOffset)];
  const offset = (networkOffset ?? 0) * MINUTE;
  const pieces =
    interval === undefined || networkOffset === undefined ? [] : intervalPieces(interval, instant + offset);
  const isOne = pieces.every(([start], index) => index === 0 || start === pieces[index - 1]?.[1]);
  const edges = isOne ? [pieces[0]?.[0], pieces.at(-1)?.[1]] : [undefined, undefined];
  return edges.slice(-count).map((edge) => (edge === undefined ? undefined : edge - offset));
}

/** True if a TimeSeries of seasons has a point of a season that is no interval. */
export function hasSummer(item: TimeSeries, queryInterval: Interval | undefined): boolean {
  const clock = { interval: findInterval(item) ?? queryInterval, networkOffset: findNetworkOffset(item) };
  if (clock.interval !== "season") return false;
  return item.series.some(({ points }) =>
    [...points.instants].some((instant) => findEdges(instant, clock, 1)[0] === undefined),
  );
}

/** Closer points overlap. Days of 23 hours, where a service follows daylight saving, do not. */
const CLOSEST = 0.75;

/**
 * The first point that lies well inside the interval of the one before, as in 15- and 60-minute points of one response;
 * undefined if there is none. The ends of a series do not count: services may date a partial interval with an end of
 * the window.
 */
export function findOverlap(
  item: TimeSeries,
  queryInterval: Interval | undefined,
): { readonly series: Series; readonly index: number } | undefined {
  const step = createStepper(item, queryInterval);
  if (!step) return undefined;
  for (const series of item.series) {
    const { instants } = series.points;
    for (let index = 2; index < instants.length - 1; index++) {
      const [before, instant] = [instants[index - 1] as number, instants[index] as number];
      if (instant !== before && instant - before < CLOSEST * (step.next(before) - before)) return { series, index };
    }
  }
  return undefined;
}

/** Closer points at the ends of a series overlap. A day of 23 hours and the next one do not. */
const CLOSEST_AT_ENDS = 0.95;

/**
 * The numbers of points at the start and at the end of a series whose interval has no known end: a partial interval is
 * often stamped with an end of the window.
 */
export function countUnclearEnds(
  { instants }: Points,
  { next }: Pick<IntervalStepper, "next">,
): readonly [head: number, tail: number] {
  const overlaps = (index: number) => {
    const [before, instant] = [instants[index - 1] as number, instants[index] as number];
    return index > 0 && instant > before && instant - before < CLOSEST_AT_ENDS * (next(before) - before);
  };
  const { length } = instants;
  if (length === 2 && overlaps(1)) return [2, 0];
  return [length > 2 && overlaps(1) ? 1 : 0, length > 2 && overlaps(length - 1) ? 2 : 0];
}

/**
 * Message why the interval ends of a TimeSeries are unknown; undefined if they are known. `queryInterval`: that of the
 * query.
 */
export function explainUnknownEnd(item: TimeSeries, queryInterval: Interval | undefined): string | undefined {
  return explainAll(item, queryInterval) ?? explainSome(item, queryInterval);
}

function explainSome(item: TimeSeries, queryInterval: Interval | undefined): string | undefined {
  const step = createStepper(item, queryInterval);
  for (const { points } of step ? item.series : []) {
    const [head, tail] = countUnclearEnds(points, step as IntervalStepper);
    if (head + tail === 0) continue;
    const [before, at] = (head > 0 ? [0, 1] : [-2, -1]).map((index) =>
      timestampAt(points, index < 0 ? points.instants.length + index : index),
    );
    return `interval_end is empty where intervals overlap: ${before} and ${at} are closer than ${queryInterval ?? findInterval(item)}`;
  }
  return undefined;
}

function explainAll(item: TimeSeries, queryInterval: Interval | undefined): string | undefined {
  const interval = findInterval(item) ?? queryInterval;
  const overlap = findOverlap(item, queryInterval);
  if (overlap) {
    const { points } = overlap.series;
    const [before, at] = [overlap.index - 1, overlap.index].map((index) => timestampAt(points, index));
    return `interval_end is empty: unknown interval, as ${nameSeries(overlap.series)} has points at ${before} and ${at}, closer than ${interval}`;
  }
  if (item.series.length === 0 || findIntervalEnd(interval, 0, findNetworkOffset(item)) !== undefined) return undefined;
  if (interval !== undefined) return `interval_end is empty: the UTC offset of network ${item.network} is unknown`;
  const named = item.fields["interval"];
  return `interval_end is empty: ${typeof named === "string" ? `unknown interval "${named}"` : "the service names no interval"}`;
}

type IntervalClock = Pick<PlacedSeries, "interval" | "networkOffset">;

/** Prints `count` edges of a timestamp's interval in the format of the timestamp; null where they are unknown. */
export function createEdgePrinter(
  printTimestamp: TimestampPrinter,
  count: number,
): (timestamp: string, instant: number, clock: IntervalClock) => (string | null)[] {
  const move = createCachedTimestampShifter();
  const print = printTimestamp.ofEdges ?? printTimestamp;
  return (timestamp, instant, clock) =>
    findEdges(instant, clock, count).map((edge) => {
      if (edge === undefined) return null;
      return print === printAsSent ? move(timestamp, instant, edge) : print(timestamp, edge, clock.networkOffset);
    });
}

/** Steps from interval to interval, by instants. */
export interface IntervalStepper {
  /** The instant one interval later. */
  readonly next: (instant: number) => number;
  /** The number of intervals from `from` to `to`; fractional if no step from `from` ends at `to`. */
  readonly count: (from: number, to: number) => number;
}

/** Undefined if the interval is unknown. */
export function createStepper(item: TimeSeries, queryInterval: Interval | undefined): IntervalStepper | undefined {
  const interval = queryInterval ?? findInterval(item);
  if (interval === undefined) return undefined;
  const rule = findRule(interval);
  if ("ms" in rule) return { next: (instant) => instant + rule.ms, count: (from, to) => (to - from) / rule.ms };
  const offset = findOffsetMs(item.network, [item]) ?? 0;
  const next = (instant: number) => addInterval(rule, instant + offset) - offset;
  const count = (from: number, to: number) => {
    let intervals = 0;
    let reached = from;
    for (; reached < to; intervals++) reached = next(reached);
    return reached === to ? intervals : intervals - 0.5;
  };
  return { next, count };
}

interface Inside {
  /** True if an interval is missing: the service does not fill gaps. */
  readonly hasMissingInterval: boolean;
  /** True if an interval has null: unless one is missing, the service fills gaps, or sends nulls as data. */
  readonly hasNull: boolean;
}

export function findGapSigns(timeSeries: readonly TimeSeries[], queryInterval: Interval | undefined): Inside {
  let [hasMissingInterval, hasNull] = [false, false];
  let checked: Instants | undefined;
  for (const item of timeSeries) {
    const step = createStepper(item, queryInterval);
    if (!step) return { hasMissingInterval, hasNull: false };
    for (const { points } of item.series) {
      // Most series of a response share their instants.
      hasMissingInterval ||= points.instants !== checked && lacksInterval(points.instants, step);
      checked = points.instants;
      hasNull ||= hasInnerNull(points);
    }
  }
  return { hasMissingInterval, hasNull };
}

function lacksInterval(instants: Instants, step: IntervalStepper): boolean {
  for (let index = 1; index < instants.length; index++) {
    if ((instants[index] as number) > step.next(instants[index - 1] as number)) return true;
  }
  return false;
}
