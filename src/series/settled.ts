/** `--settled`: leaves out values that the service is known to change soon. */
import { findProvisional } from "../base/provisional.ts";
import type { Query } from "../query/query.ts";
import { createStepper } from "./intervals/grid.ts";
import { slicePoints } from "./point-operations.ts";
import { findInterval, type TimeSeries } from "./time-series.ts";

/** Keeps the intervals that are settled at a moment. */
export function keepSettled(
  timeSeries: readonly TimeSeries[],
  query: Pick<Query, "interval">,
  at: number,
): TimeSeries[] {
  return timeSeries.map((item) => {
    const isSettled = createIsSettled(item, query, at);
    const series = item.series.map((own) => {
      let count = own.points.instants.length;
      while (count > 0 && !isSettled(own.points.instants[count - 1] as number)) count--;
      return { ...own, points: slicePoints(own.points, 0, count) };
    });
    return { ...item, series };
  });
}

/**
 * Tells intervals, by their start, that ended so long before `at`, in milliseconds since 1970 UTC, as values of their
 * metric may change; all, if nothing is known of it.
 */
export function createIsSettled(
  item: TimeSeries,
  { interval }: Pick<Query, "interval">,
  at: number,
): (instant: number) => boolean {
  const until = at - findProvisional(item.network, item.metric);
  const step = createStepper(item, findInterval(item) ?? interval);
  return (instant) => until === at || (step?.next(instant) ?? instant) <= until;
}
