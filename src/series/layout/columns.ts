import { listLabelLists, listLabelValues } from "../order.ts";
import type { Label, TimeSeries } from "../time-series.ts";

/** The columns known from the query and the series received so far. */
export interface KnownColumns {
  /** The metrics of the query, in its order. */
  readonly requested: readonly string[];
  /** The distinct lists of label names of the series. */
  readonly labelLists: readonly (readonly string[])[];
  /** The unit of each received metric. */
  readonly units: ReadonlyMap<string, string>;
  /** A label whose values are columns, and its values in canonical order. */
  readonly pivot?: Pivot | undefined;
}

export interface Pivot {
  readonly label: string;
  readonly values: readonly Label[];
}

/** The columns before any series is received. */
export function startColumns(requested: readonly string[], pivot?: string): KnownColumns {
  return { requested, labelLists: [], units: new Map(), pivot: pivot === undefined ? undefined : { label: pivot, values: [] } };
}

export function addColumns({ requested, labelLists, units, pivot }: KnownColumns, timeSeries: readonly TimeSeries[]): KnownColumns {
  return {
    requested,
    labelLists: listLabelLists(timeSeries, labelLists),
    units: new Map([...timeSeries.map(({ metric, unit }) => [metric, unit] as const), ...units]),
    pivot: pivot && { ...pivot, values: listLabelValues(timeSeries, pivot) },
  };
}
