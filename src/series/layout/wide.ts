import { compareLabels, listMetrics, orderLabelNames, orderTimeSeries, rankMetrics } from "../order.ts";
import { findLabel, findNetworkOffset, type Series, type TimeSeries } from "../time-series.ts";
import { nameLabels, nameMetrics } from "./column-names.ts";
import type { KnownColumns } from "./columns.ts";
import type { Layout, PlacedSeries } from "./layout.ts";
import type { Column } from "./table.ts";

/**
 * One row per timestamp and label set: `timestamp, network, <labels…>, <metric…>`.
 * A second value for the same cell gets another row.
 */
export function layOutWide({ requested, labelLists, units }: KnownColumns): Layout {
  const metrics = listMetrics(requested, [...units.keys()]);
  const names = orderLabelNames(labelLists);
  const metricNames = nameMetrics(metrics);
  return {
    columns: [
      { name: "timestamp", kind: "stamp" },
      ...["network", ...nameLabels(names, metricNames)].map((name): Column => ({ name, kind: "text" })),
      ...metrics.map((metric, index): Column => ({ name: metricNames[index] ?? metric, kind: "value", unit: units.get(metric) ?? "" })),
    ],
    place: (timeSeries) => placeSeries(orderTimeSeries(timeSeries, metrics), names, rankMetrics(metrics)),
  };
}

interface UnrankedSeries extends Omit<PlacedSeries, "rank"> {
  /** A key of network and labels: series with the same key share rows. */
  readonly rowKey: string;
  readonly series: Series;
}

function placeSeries(ordered: readonly TimeSeries[], names: readonly string[], metrics: ReadonlyMap<string, number>): PlacedSeries[] {
  const unranked = ordered.flatMap((item) => {
    const { network, metric } = item;
    const valueColumn = metrics.get(metric) ?? 0;
    const networkOffset = findNetworkOffset(item);
    return item.series.map((one): UnrankedSeries => {
      const constants = [network, ...names.map((name) => findLabel(one, name))];
      return { rowKey: JSON.stringify(constants), series: one, constants, valueColumn, networkOffset, points: one.points };
    });
  });
  const rows = new Map(unranked.map(({ rowKey, series }) => [rowKey, series]));
  const sorted = [...rows].sort(([, a], [, b]) => compareLabels(a, b, names));
  const ranks = new Map(sorted.map(([rowKey], rank) => [rowKey, rank]));
  return unranked
    .map(({ rowKey, constants, valueColumn, networkOffset, points }) => {
      return { rank: ranks.get(rowKey) ?? 0, constants, valueColumn, networkOffset, points };
    })
    .sort((a, b) => a.rank - b.rank);
}
