import { listLabelLists, listMetrics } from "../order.ts";
import type { TimeSeries } from "../time-series.ts";

/** What is known of the columns from the query and from the series that have come. */
export interface KnownColumns {
  /** The metrics in the order asked for. */
  readonly asked: readonly string[];
  /** Asked metrics, then those that came unasked, by name. */
  readonly metrics: readonly string[];
  /** Each list of label names that a series had. */
  readonly labelLists: readonly (readonly string[])[];
  /** The unit of each metric that came. */
  readonly units: ReadonlyMap<string, string>;
}

/** What is known before any series has come. */
export function startColumns(asked: readonly string[]): KnownColumns {
  return { asked, metrics: asked, labelLists: [], units: new Map() };
}

export function learnColumns({ asked, metrics, labelLists, units }: KnownColumns, timeSeries: readonly TimeSeries[]): KnownColumns {
  const unasked = metrics.filter((name) => !asked.includes(name));
  const came = timeSeries.map(({ metric }) => metric);
  return {
    asked,
    metrics: listMetrics(asked, [...unasked, ...came]),
    labelLists: listLabelLists(timeSeries, labelLists),
    units: new Map([...timeSeries.map(({ metric, unit }) => [metric, unit] as const), ...units]),
  };
}
