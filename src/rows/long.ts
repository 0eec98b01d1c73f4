import { compareLabels, listLabelNames, listMetrics } from "../series/order.ts";
import type { Points } from "../series/points.ts";
import type { TimeSeries } from "../series/time-series.ts";
import type { Cell, Row, RowOptions, Table } from "./table.ts";
import { walkTimeline } from "./timeline.ts";

/** One row a point: `timestamp, network, metric, unit, <labels…>, value`, ordered by timestamp, metric as asked, labels. */
export function toLongTable(timeSeries: readonly TimeSeries[], options: RowOptions): Table {
  const labels = options.labels ?? listLabelNames(timeSeries);
  return {
    columns: [
      { name: "timestamp", kind: "stamp" },
      ...["network", "metric", "unit", ...labels].map((name) => ({ name, kind: "text" as const })),
      { name: "value", kind: "value" },
    ],
    rows: walkRows(listColumns(timeSeries, labels, options.metrics), options),
  };
}

interface SeriesColumn {
  /** The cells that all rows of the series share. */
  readonly constants: readonly Cell[];
  readonly points: Points;
}

/** In canonical order, also where a service gives one metric in several TimeSeries. */
function listColumns(timeSeries: readonly TimeSeries[], names: readonly string[], metrics: readonly string[]): SeriesColumn[] {
  const ranks = new Map(listMetrics(timeSeries, metrics).map((metric, rank) => [metric, rank]));
  return timeSeries
    .flatMap((item) => item.series.map((one) => ({ item, one, rank: ranks.get(item.metric) ?? 0 })))
    .sort((a, b) => a.rank - b.rank || compareLabels(a.one, b.one, names))
    .map(({ item: { network, metric, unit }, one: { labels, points } }) => ({
      constants: [network, metric, unit, ...names.map((name) => labels[name] ?? null)],
      points,
    }));
}

function* walkRows(columns: readonly SeriesColumn[], { printStamp }: RowOptions): Generator<Row> {
  for (const spans of walkTimeline(columns.map(({ points }) => points))) {
    for (const { series, from, to } of spans) {
      const { constants, points } = columns[series] as SeriesColumn;
      for (let index = from; index < to; index++) {
        const stamp = printStamp(points.stamps[index] as string, points.instants[index] as number);
        yield [stamp, ...constants, points.values[index] ?? null];
      }
    }
  }
}
