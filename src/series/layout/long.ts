import { compareLabels, listLabelNames, listMetrics } from "../order.ts";
import type { Points } from "../points.ts";
import type { TimeSeries } from "../time-series.ts";
import type { Cell, Column, Row, RowOptions, Table } from "./table.ts";
import { walkTimeline } from "./timeline.ts";

/** One row a point: `timestamp, network, metric, unit, <labels…>, value`, ordered by timestamp, metric as asked, labels. */
export function toLongTable(timeSeries: readonly TimeSeries[], options: RowOptions): Table {
  const { columns, series } = layOutLong(timeSeries, options);
  return { columns, rows: walkRows(series, options) };
}

/** A series as rows of the long shape have it. */
export interface LongSeries {
  /** The cells between timestamp and value, which all its rows share. */
  readonly constants: readonly Cell[];
  readonly points: Points;
}

/** The columns of the long shape, and its series in canonical order. */
export function layOutLong(timeSeries: readonly TimeSeries[], options: RowOptions): { columns: Column[]; series: LongSeries[] } {
  const labels = options.labels ?? listLabelNames(timeSeries);
  const columns: Column[] = [
    { name: "timestamp", kind: "stamp" },
    ...["network", "metric", "unit", ...labels].map((name): Column => ({ name, kind: "text" })),
    { name: "value", kind: "value" },
  ];
  return { columns, series: orderSeries(timeSeries, labels, options.metrics) };
}

/** In canonical order, also where a service gives one metric in several TimeSeries. */
function orderSeries(timeSeries: readonly TimeSeries[], names: readonly string[], metrics: readonly string[]): LongSeries[] {
  const ranks = new Map(listMetrics(timeSeries, metrics).map((metric, rank) => [metric, rank]));
  return timeSeries
    .flatMap((item) => item.series.map((one) => ({ item, one, rank: ranks.get(item.metric) ?? 0 })))
    .sort((a, b) => a.rank - b.rank || compareLabels(a.one, b.one, names))
    .map(({ item: { network, metric, unit }, one: { labels, points } }) => ({
      constants: [network, metric, unit, ...names.map((name) => labels[name] ?? null)],
      points,
    }));
}

function* walkRows(columns: readonly LongSeries[], { printStamp }: RowOptions): Generator<Row> {
  for (const spans of walkTimeline(columns.map(({ points }) => points))) {
    for (const { series, from, to } of spans) {
      const { constants, points } = columns[series] as LongSeries;
      for (let index = from; index < to; index++) {
        const stamp = printStamp(points.stamps[index] as string, points.instants[index] as number);
        yield [stamp, ...constants, points.values[index] ?? null];
      }
    }
  }
}
