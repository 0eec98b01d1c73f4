import { listLabelLists } from "../order.ts";
import type { TimeSeries } from "../time-series.ts";

/** The columns known from the query and the series received so far. */
export interface KnownColumns {
  /** The metrics of the query, in its order. */
  readonly requested: readonly string[];
  /** The distinct lists of label names of the series. */
  readonly labelLists: readonly (readonly string[])[];
  /** The unit of each received metric. */
  readonly units: ReadonlyMap<string, string>;
}

/** The columns before any series is received. */
export function startColumns(requested: readonly string[]): KnownColumns {
  return { requested, labelLists: [], units: new Map() };
}

export function addColumns({ requested, labelLists, units }: KnownColumns, timeSeries: readonly TimeSeries[]): KnownColumns {
  return {
    requested,
    labelLists: listLabelLists(timeSeries, labelLists),
    units: new Map([...timeSeries.map(({ metric, unit }) => [metric, unit] as const), ...units]),
  };
}
