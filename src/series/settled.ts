/** `--settled`: leaves out values that the service is known to change soon. */
import { findProvisional } from "../base/provisional.ts";
import type { Query } from "../query/query.ts";
import { createStepper } from "./intervals/grid.ts";
import { slicePoints } from "./point-operations.ts";
import { findInterval, type TimeSeries } from "./time-series.ts";

/** Keeps intervals that ended so long before `at`, in milliseconds since 1970 UTC, as values of their metric may change. */
export function keepSettled(timeSeries: readonly TimeSeries[], { interval }: Pick<Query, "interval">, at: number): TimeSeries[] {
  return timeSeries.map((item) => {
    const until = at - findProvisional(item.network, item.metric);
    if (until === at) return item;
    const step = createStepper(item, findInterval(item) ?? interval);
    const endOf = (instant: number) => step?.next(instant) ?? instant;
    const series = item.series.map((own) => {
      let count = own.points.instants.length;
      while (count > 0 && endOf(own.points.instants[count - 1] as number) > until) count--;
      return { ...own, points: slicePoints(own.points, 0, count) };
    });
    return { ...item, series };
  });
}
