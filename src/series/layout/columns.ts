import type { Interval } from "../../base/vocabulary.ts";
import { listLabelLists, listLabelValues } from "../order.ts";
import type { Label, TimeSeries } from "../time-series.ts";

/** The columns known from the query and the series received so far. */
export interface KnownColumns {
  /** The metrics of the query, in its order. */
  readonly requested: readonly string[];
  /** Its interval: that of series which name none. */
  readonly interval?: Interval | undefined;
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

/** The columns before any series is received. `pivot`: a label. */
export function startColumns(
  requested: readonly string[],
  { pivot, interval }: { readonly pivot?: string | undefined; readonly interval?: Interval | undefined } = {},
): KnownColumns {
  return { requested, interval, labelLists: [], units: new Map(), pivot: pivot === undefined ? undefined : { label: pivot, values: [] } };
}

export function addColumns({ labelLists, units, pivot, ...query }: KnownColumns, timeSeries: readonly TimeSeries[]): KnownColumns {
  return {
    ...query,
    labelLists: listLabelLists(timeSeries, labelLists),
    units: new Map([...timeSeries.map(({ metric, unit }) => [metric, unit] as const), ...units]),
    pivot: pivot && { ...pivot, values: listLabelValues(timeSeries, pivot) },
  };
}
