/** The time that each interval of a series covers. */
import type { Interval } from "../../base/intervals.ts";
import { EntsError } from "../../base/errors.ts";
import type { Query } from "../../query/query.ts";
import { intervalPieces } from "../../time/calendar.ts";
import { findInterval, findOffsetMs, type TimeSeries } from "../time-series.ts";

/** Instants, in milliseconds since 1970 UTC; the end is exclusive. */
export type InstantSpan = readonly [from: number, until: number];

/** The parts of an interval, in order: several only for a summer of January, February and December. */
export type FindSpans = (instant: number) => readonly InstantSpan[];

/** The function throws {EntsError} refused: the service names no interval, or no UTC offset. */
export function createSpans(item: TimeSeries, query: Pick<Query, "interval">): FindSpans {
  const interval: Interval | undefined = findInterval(item) ?? query.interval;
  const offset = findOffsetMs(item.network, [item]);
  let last: number | undefined;
  let spans: readonly InstantSpan[] = [];
  return (instant) => {
    if (interval === undefined || offset === undefined)
      throw refuseUnknownHours(interval === undefined ? "interval" : "UTC offset", item);
    // Series of one response share their instants.
    if (instant !== last)
      spans = intervalPieces(interval, instant + offset).map(([from, until]) => [from - offset, until - offset]);
    last = instant;
    return spans;
  };
}

export function refuseUnknownHours(what: string, { network }: TimeSeries): EntsError {
  return new EntsError(
    "refused",
    `the ${what} of ${network} is unknown, so that ents does not know which hours a value is of`,
  );
}

/** The part of a span that lies inside another; empty if there is none. */
export function clip([from, until]: InstantSpan, [first, last]: InstantSpan): InstantSpan {
  return [Math.max(from, first), Math.max(Math.max(from, first), Math.min(until, last))];
}
