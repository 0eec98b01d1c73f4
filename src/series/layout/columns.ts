/** Names of the columns that come from the service: labels, and metrics in the wide shape. */
import type { Interval } from "../../base/intervals.ts";
import { RUN_FIELD } from "../forecast-runs.ts";
import { listLabelLists, listLabelValues } from "../order.ts";
import type { Label, TimeSeries } from "../time-series.ts";
import type { Column } from "./layout.ts";
import { toJsonText } from "../../base/json.ts";

/** The columns known from the query and the series received so far. */
export interface KnownColumns {
  /** The metrics of the query, in its order. */
  readonly requested: readonly string[];
  /** The interval of the query, for series that name none. */
  readonly interval?: Interval | undefined;
  /** The distinct lists of label names of the series. */
  readonly labelLists: readonly (readonly string[])[];
  /** The unit of each received metric. */
  readonly units: ReadonlyMap<string, string>;
  /** By label: true if all of its values are booleans. */
  readonly booleans: ReadonlyMap<string, boolean>;
  /** A label whose values become columns, with these values in canonical order. */
  readonly pivot?: Pivot | undefined;
}

interface Pivot {
  readonly label: string;
  readonly values: readonly Label[];
}

/** The columns known before any response. `pivot`: a label. */
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

export function describeLabels(
  labels: readonly string[],
  names: readonly string[],
  booleans: KnownColumns["booleans"],
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

/**
 * The columns that ents names itself, in either shape. Labels avoid all of them, so that a label has the same name in
 * both shapes.
 */
const TIME_COLUMNS = ["timestamp", "timestamp_local", "interval_start", "interval_end"];
const ROW_COLUMNS = [...TIME_COLUMNS, "network", RUN_FIELD];
const OWN_COLUMNS = [...ROW_COLUMNS, "metric", "unit", "value"];

/**
 * A label that clashes with a column of ents or with `others` gets the suffix `_label`, repeated until it is unique.
 */
export function nameLabelColumns(labels: readonly string[], others: readonly string[] = []): string[] {
  return makeUnique(labels, [...OWN_COLUMNS, ...others], (name) => `${name}_label`);
}

/** In the wide shape, a metric that clashes with a column to its left gets the suffix `_metric`. */
export function nameMetrics(metrics: readonly string[], others: readonly string[] = []): string[] {
  return makeUnique(metrics, [...ROW_COLUMNS, ...others], (name) => `${name}_metric`);
}

/** `<value>` if there is one metric, else `<metric>_<value>`. An empty or clashing name gets the prefix `<label>_`. */
export function namePivoted(metrics: readonly string[], { label, values }: Pivot, labels: readonly string[]): string[] {
  const own = metrics.length === 1 ? [""] : metrics.map((metric) => `${metric}_`);
  const names = own.flatMap((metric) => values.map((value) => metric + labelToText(value)));
  return makeUnique(names, ["", ...ROW_COLUMNS, ...labels], (name) => `${label}_${name}`);
}

function labelToText(label: Label): string {
  if (label === null) return "(none)";
  return typeof label === "string" ? label : toJsonText(label);
}

/**
 * Makes names unique and different from `reserved`, by repeated renaming. A unique name stays, and no other is renamed
 * to it.
 */
function makeUnique(names: readonly string[], reserved: readonly string[], rename: (name: string) => string): string[] {
  const taken = new Set([...reserved, ...names]);
  const kept = new Set(reserved);
  return names.map((name) => {
    let unique = name;
    if (kept.has(name)) while (taken.has(unique)) unique = rename(unique);
    taken.add(unique);
    kept.add(unique);
    return unique;
  });
}
