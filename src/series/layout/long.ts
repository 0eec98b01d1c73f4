import { compareLabels, listMetrics, orderLabelNames, rankMetrics } from "../order.ts";
import { findInterval, findLabel, findNetworkOffset } from "../time-series.ts";
import { nameLabels } from "./column-names.ts";
import { describeLabels, type KnownColumns } from "./columns.ts";
import { type Join, nameJoined } from "./join.ts";
import type { Layout } from "./layout.ts";
import type { Column } from "./table.ts";

/** One row per point: `timestamp, network, metric, unit, <labels…>, <joined…>, value`, ordered by timestamp, requested metric, labels. */
export function layOutLong({ requested, interval, labelLists, units, booleans }: KnownColumns, join?: Join): Layout {
  const names = orderLabelNames(labelLists);
  const ranks = rankMetrics(listMetrics(requested, [...units.keys()]));
  return {
    columns: [
      { name: "timestamp", kind: "stamp" },
      ...["network", "metric", "unit"].map((name): Column => ({ name, kind: "text" })),
      ...describeLabels(names, nameLabels(names, nameJoined(join)), { booleans }),
      ...(join?.columns ?? []),
      { name: "value", kind: "value" },
    ],
    place: (timeSeries) =>
      timeSeries
        // A service may split one metric into several TimeSeries.
        .flatMap((item) => item.series.map((series) => ({ item, series, metric: ranks.get(item.metric) ?? 0 })))
        .sort((a, b) => a.metric - b.metric || compareLabels(a.series, b.series, names))
        .map(({ item, item: { network, metric, unit }, series }, rank) => ({
          rank,
          constants: [network, metric, unit, ...names.map((name) => findLabel(series, name)), ...(join?.cellsOf(series.labels) ?? [])],
          valueColumn: 0,
          networkOffset: findNetworkOffset(item),
          interval: findInterval(item) ?? interval,
          points: series.points,
        })),
  };
}
