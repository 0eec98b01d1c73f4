import { listLabelNames, orderTimeSeries } from "../series/order.ts";
import type { Points, TimeSeries } from "../series/time-series.ts";
import type { Cell, Row, RowOptions, Table } from "./table.ts";
import { walkTimeline } from "./timeline.ts";

/** One row a point: `timestamp, network, metric, unit, <labels…>, value`, ordered by timestamp, metric as asked, labels. */
export function toLongTable(timeSeries: readonly TimeSeries[], options: RowOptions): Table {
  const labels = listLabelNames(timeSeries);
  return {
    columns: [
      { name: "timestamp", kind: "stamp" },
      ...["network", "metric", "unit", ...labels].map((name) => ({ name, kind: "text" as const })),
      { name: "value", kind: "value" },
    ],
    rows: walkRows(listColumns(orderTimeSeries(timeSeries, options.metrics), labels), options),
  };
}

interface SeriesColumn {
  /** The cells that all rows of the series share. */
  readonly constants: readonly Cell[];
  readonly points: Points;
}

function listColumns(ordered: readonly TimeSeries[], names: readonly string[]): SeriesColumn[] {
  return ordered.flatMap(({ network, metric, unit, series }) =>
    series.map(({ labels, points }) => ({
      constants: [network, metric, unit, ...names.map((name) => labels[name] ?? null)],
      points,
    })),
  );
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
