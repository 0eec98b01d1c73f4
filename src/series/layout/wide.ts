import { compareLabels, keyLabel, listMetrics, orderLabelNames, orderTimeSeries, rankMetrics } from "../order.ts";
import { findInterval, findLabel, findNetworkOffset, type Series, type TimeSeries } from "../time-series.ts";
import { nameLabels, nameMetrics, namePivoted } from "./column-names.ts";
import { describeLabels, type KnownColumns, type Pivot } from "./columns.ts";
import type { Layout, PlacedSeries } from "./layout.ts";
import type { Column } from "./table.ts";

/**
 * One row per timestamp and label set: `timestamp, network, <labels…>, <metric…>`; with a pivot, one column for each metric
 * and value of its label in place of the metrics, and the label is none of the row's.
 * A second value for the same cell gets another row.
 */
export function layOutWide({ requested, labelLists, units, booleans, pivot }: KnownColumns): Layout {
  const metrics = listMetrics(requested, [...units.keys()]);
  const names = orderLabelNames(labelLists).filter((name) => name !== pivot?.label);
  const { labelNames, valueNames } = nameColumns(metrics, names, pivot);
  const perMetric = pivot ? pivot.values.length : 1;
  const ranks = new Map(pivot?.values.map((value, rank) => [keyLabel(value), rank]));
  const findColumn = (metric: number, series: Series) =>
    metric * perMetric + (pivot ? (ranks.get(keyLabel(findLabel(series, pivot.label))) ?? 0) : 0);
  return {
    columns: [
      { name: "timestamp", kind: "stamp" },
      { name: "network", kind: "text" },
      ...describeLabels(names, labelNames, { booleans }),
      ...valueNames.map((name, index): Column => {
        const metric = metrics[Math.floor(index / perMetric)] ?? "";
        return { name, kind: "value", metric, unit: units.get(metric) ?? "" };
      }),
    ],
    place: (timeSeries) => {
      const metricRanks = rankMetrics(metrics);
      return placeSeries(orderTimeSeries(timeSeries, metrics), names, (item, series) =>
        findColumn(metricRanks.get(item.metric) ?? 0, series),
      );
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

interface UnrankedSeries extends Omit<PlacedSeries, "rank"> {
  /** A key of network and labels: series with the same key share rows. */
  readonly rowKey: string;
  readonly series: Series;
}

type FindColumn = (item: TimeSeries, series: Series) => number;

function placeSeries(ordered: readonly TimeSeries[], names: readonly string[], findColumn: FindColumn): PlacedSeries[] {
  const unranked = ordered.flatMap((item) => {
    const networkOffset = findNetworkOffset(item);
    const interval = findInterval(item);
    return item.series.map((series): UnrankedSeries => {
      const constants = [item.network, ...names.map((name) => findLabel(series, name))];
      const rowKey = JSON.stringify(constants);
      return { rowKey, series, constants, valueColumn: findColumn(item, series), networkOffset, interval, points: series.points };
    });
  });
  const rows = new Map(unranked.map(({ rowKey, series }) => [rowKey, series]));
  const sorted = [...rows].sort(([, a], [, b]) => compareLabels(a, b, names));
  const ranks = new Map(sorted.map(([rowKey], rank) => [rowKey, rank]));
  return unranked.map(({ rowKey, series: _, ...placed }) => ({ ...placed, rank: ranks.get(rowKey) ?? 0 })).sort((a, b) => a.rank - b.rank);
}
