import type { Interval } from "../../base/vocabulary.ts";
import { listLabelLists, listLabelValues } from "../order.ts";
import type { Label, TimeSeries } from "../time-series.ts";
import type { Column } from "./layout.ts";

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
  /** By label: whether all of its values are booleans. */
  readonly booleans: ReadonlyMap<string, boolean>;
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
  return {
    requested,
    interval,
    labelLists: [],
    units: new Map(),
    booleans: new Map(),
    pivot: pivot === undefined ? undefined : { label: pivot, values: [] },
  };
}

export function addColumns(
  { labelLists, units, booleans, pivot, ...query }: KnownColumns,
  timeSeries: readonly TimeSeries[],
): KnownColumns {
  return {
    ...query,
    labelLists: listLabelLists(timeSeries, labelLists),
    units: new Map([...timeSeries.map(({ metric, unit }) => [metric, unit] as const), ...units]),
    booleans: findBooleans(timeSeries, booleans),
    pivot: pivot && { ...pivot, values: listLabelValues(timeSeries, pivot) },
  };
}

/** The columns of labels under their names in the output. */
export function describeLabels(
  labels: readonly string[],
  names: readonly string[],
  { booleans }: Pick<KnownColumns, "booleans">,
): Column[] {
  return labels.map((label, index) => {
    const name = names[index] as string;
    return { name, kind: "text", ...(booleans.get(label) ? { isBoolean: true } : {}) };
  });
}

function findBooleans(timeSeries: readonly TimeSeries[], known: KnownColumns["booleans"]): KnownColumns["booleans"] {
  const booleans = new Map(known);
  for (const { labels } of timeSeries.flatMap(({ series }) => series)) {
    for (const [name, value] of Object.entries(labels)) {
      if (value !== null) booleans.set(name, typeof value === "boolean" && booleans.get(name) !== false);
    }
  }
  return booleans;
}
