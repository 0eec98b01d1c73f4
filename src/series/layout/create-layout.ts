import { findInterval, findLabel, findNetworkOffset, type TimeSeries } from "../time-series.ts";
import { addColumns, describeLabels, type KnownColumns, startColumns } from "./columns.ts";
import { type Column, type Join, type RowLayout, type LayoutOptions, nameJoined, type Table } from "./layout.ts";
import { walkRows } from "./rows.ts";
import type { StampPrinter } from "../../time/stamp-printer.ts";
import { layOutWide } from "./wide.ts";
import { compareLabels, orderMetrics, orderLabelNames, rankMetrics } from "../order.ts";
import { nameLabels } from "./column-names.ts";

export function createLayout({ shape, join, intervalEnd = false }: LayoutOptions, known: KnownColumns): RowLayout {
  const layout = shape === "wide" ? layOutWide(known, join) : layOutLong(known, join);
  return intervalEnd ? { ...layout, columns: addIntervalEnd(layout.columns) } : layout;
}

function addIntervalEnd([timestamp, ...others]: readonly Column[]): Column[] {
  return [timestamp as Column, { name: "interval_end", kind: "stamp" }, ...others];
}

/** Series as columns and rows. `metrics`: the order of their columns or rows. */
export function toTable(
  timeSeries: readonly TimeSeries[],
  { metrics, printStamp, ...options }: LayoutOptions & { metrics: readonly string[]; printStamp: StampPrinter },
): Table {
  const layout = createLayout(options, addColumns(startColumns(metrics, options), timeSeries));
  return { columns: layout.columns, rows: walkRows(layout, layout.place(timeSeries), printStamp) };
}

/** One row per point: `timestamp, network, metric, unit, <labels…>, <joined…>, value`, ordered by timestamp, requested metric, labels. */
function layOutLong({ requested, interval, labelLists, units, booleans }: KnownColumns, join?: Join): RowLayout {
  const names = orderLabelNames(labelLists);
  const ranks = rankMetrics(orderMetrics(requested, [...units.keys()]));
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
