import { compareLabels, keyLabel, listMetrics, orderLabelNames, orderTimeSeries, rankMetrics } from "../order.ts";
import { findInterval, findLabel, findNetworkOffset, type Series } from "../time-series.ts";
import { nameLabels, nameMetrics, namePivoted } from "./column-names.ts";
import type { KnownColumns, Pivot } from "./columns.ts";
import type { Layout } from "./layout.ts";
import type { Cell, Column } from "./table.ts";

/**
 * One row per timestamp and label set: `timestamp, network, <labels…>, <metric…>`; with a pivot, one column for each metric
 * and value of its label in place of the metrics, and the label is none of the row's.
 * A second value for the same cell gets another row.
 */
export function layOutWide({ requested, interval, labelLists, units, pivot }: KnownColumns): Layout {
  const metrics = listMetrics(requested, [...units.keys()]);
  const metricRanks = rankMetrics(metrics);
  const names = orderLabelNames(labelLists).filter((name) => name !== pivot?.label);
  const { labelNames, valueNames } = nameColumns(metrics, names, pivot);
  const perMetric = pivot ? pivot.values.length : 1;
  const findPivoted = createFinder(pivot);
  return {
    columns: [
      { name: "timestamp", kind: "stamp" },
      ...["network", ...labelNames].map((name): Column => ({ name, kind: "text" })),
      ...valueNames.map((name, index): Column => {
        const metric = metrics[Math.floor(index / perMetric)] ?? "";
        return { name, kind: "value", unit: units.get(metric) ?? "" };
      }),
    ],
    place: (timeSeries) => {
      const rows = orderTimeSeries(timeSeries, metrics).flatMap((item) =>
        item.series.map((series) => ({ item, series, constants: [item.network, ...names.map((name) => findLabel(series, name))] })),
      );
      const ranks = rankRows(rows, names);
      return rows
        .map(({ item, series, constants }, index) => ({
          rank: ranks[index] as number,
          constants,
          valueColumn: (metricRanks.get(item.metric) ?? 0) * perMetric + findPivoted(series),
          networkOffset: findNetworkOffset(item),
          interval: findInterval(item) ?? interval,
          points: series.points,
        }))
        .sort((a, b) => a.rank - b.rank);
    },
  };
}

function nameColumns(metrics: readonly string[], labels: readonly string[], pivot: Pivot | undefined) {
  if (pivot) {
    const labelNames = nameLabels(labels);
    return { labelNames, valueNames: namePivoted(metrics, pivot, labelNames) };
  }
  const valueNames = nameMetrics(metrics);
  return { labelNames: nameLabels(labels, valueNames), valueNames };
}

/** Which of the values of a pivot's label a series has. */
function createFinder(pivot: Pivot | undefined): (series: Series) => number {
  if (!pivot) return () => 0;
  const { label, values } = pivot;
  const ranks = new Map(values.map((value, rank) => [keyLabel(value), rank]));
  return (series) => ranks.get(keyLabel(findLabel(series, label))) ?? 0;
}

/** The order of the rows of each series; series of the same network and labels share rows. */
function rankRows(series: readonly { readonly series: Series; readonly constants: readonly Cell[] }[], names: readonly string[]): number[] {
  const keys = series.map(({ constants }) => JSON.stringify(constants));
  const rows = new Map(series.map((one, index) => [keys[index], one.series]));
  const sorted = [...rows].sort(([, a], [, b]) => compareLabels(a, b, names));
  const ranks = new Map(sorted.map(([key], rank) => [key, rank]));
  return keys.map((key) => ranks.get(key) ?? 0);
}
