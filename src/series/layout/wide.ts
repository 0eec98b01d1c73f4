import { compareLabels, keyLabel, orderMetrics, orderLabelNames, orderTimeSeries, rankMetrics } from "../order.ts";
import { findInterval, findLabel, findNetworkOffset, type Series } from "../time-series.ts";
import { nameLabels, nameMetrics, namePivoted } from "./column-names.ts";
import { describeLabels, type KnownColumns, type Pivot } from "./columns.ts";
import { type Cell, type Column, type Join, type RowLayout, nameJoined } from "./layout.ts";

/**
 * One row per timestamp and label set: `timestamp, network, <labels…>, <joined…>, <metric…>`; with a pivot, one column for each metric
 * and value of its label in place of the metrics, and the label is none of the row's.
 * A second value for the same cell gets another row.
 */
export function layOutWide({ requested, interval, labelLists, units, booleans, pivot }: KnownColumns, join?: Join): RowLayout {
  const metrics = orderMetrics(requested, [...units.keys()]);
  const metricRanks = rankMetrics(metrics);
  const names = orderLabelNames(labelLists).filter((name) => name !== pivot?.label);
  const { labelNames, valueNames } = nameColumns(metrics, names, { pivot, joined: nameJoined(join) });
  const perMetric = pivot ? pivot.values.length : 1;
  const findPivoted = createFinder(pivot);
  return {
    columns: [
      { name: "timestamp", kind: "stamp" },
      { name: "network", kind: "text" },
      ...describeLabels(names, labelNames, { booleans }),
      ...(join?.columns ?? []),
      ...valueNames.map((name, index): Column => {
        const metric = metrics[Math.floor(index / perMetric)] ?? "";
        return { name, kind: "value", metric, unit: units.get(metric) ?? "" };
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
          constants: join ? [...constants, ...join.cellsOf(series.labels)] : constants,
          valueColumn: (metricRanks.get(item.metric) ?? 0) * perMetric + findPivoted(series),
          networkOffset: findNetworkOffset(item),
          interval: findInterval(item) ?? interval,
          points: series.points,
        }))
        .sort((a, b) => a.rank - b.rank);
    },
  };
}

interface OtherColumns {
  readonly pivot: Pivot | undefined;
  readonly joined: readonly string[];
}

function nameColumns(metrics: readonly string[], labels: readonly string[], { pivot, joined }: OtherColumns) {
  if (pivot) {
    const labelNames = nameLabels(labels, joined);
    return { labelNames, valueNames: namePivoted(metrics, pivot, [...labelNames, ...joined]) };
  }
  const valueNames = nameMetrics(metrics, joined);
  return { labelNames: nameLabels(labels, [...joined, ...valueNames]), valueNames };
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
