import { compareLabels, listLabelNames, listMetrics, orderTimeSeries } from "../order.ts";
import type { Points } from "../points.ts";
import type { Series, TimeSeries } from "../time-series.ts";
import type { Cell, Column, Row, RowOptions, Table } from "./table.ts";
import { type Span, walkTimeline } from "./timeline.ts";

/**
 * One row a timestamp and label set: `timestamp, network, <labels…>, <metric…>`.
 * A second value for a cell that is taken gets a further row.
 */
export function toWideTable(timeSeries: readonly TimeSeries[], options: RowOptions): Table {
  const labels = options.labels ?? listLabelNames(timeSeries);
  const metrics = listMetrics(timeSeries, options.metrics);
  const units = new Map(timeSeries.map(({ metric, unit }) => [metric, unit]));
  const lanes = listLanes(orderTimeSeries(timeSeries, options.metrics), { labels, metrics });
  return {
    columns: [
      { name: "timestamp", kind: "stamp" },
      ...["network", ...labels].map((name): Column => ({ name, kind: "text" })),
      ...metrics.map((name): Column => ({ name, kind: "value", unit: units.get(name) ?? "" })),
    ],
    rows: walkRows(lanes, metrics.length, options),
  };
}

/** The series that share a network and all labels, and so their rows. */
interface Group {
  readonly constants: readonly Cell[];
  readonly sample: Series;
}

/** One series, the group of its rows (by rank) and the column of its values. */
interface Lane {
  readonly group: number;
  readonly column: number;
  readonly points: Points;
}

interface Lanes {
  readonly groups: readonly Group[];
  readonly lanes: readonly Lane[];
}

function listLanes(ordered: readonly TimeSeries[], names: { labels: readonly string[]; metrics: readonly string[] }): Lanes {
  const groups = new Map<string, Group>();
  const keyed = ordered.flatMap(({ network, metric, series }) =>
    series.map((one) => {
      const constants = [network, ...names.labels.map((name) => one.labels[name] ?? null)];
      const key = JSON.stringify(constants);
      if (!groups.has(key)) groups.set(key, { constants, sample: one });
      return { key, column: names.metrics.indexOf(metric), points: one.points };
    }),
  );
  const sorted = [...groups].sort(([, a], [, b]) => compareLabels(a.sample, b.sample, names.labels));
  const ranks = new Map(sorted.map(([key], rank) => [key, rank]));
  return {
    groups: sorted.map(([, group]) => group),
    lanes: keyed.map(({ key, column, points }) => ({ group: ranks.get(key) ?? 0, column, points })),
  };
}

function* walkRows({ groups, lanes }: Lanes, width: number, { printStamp }: RowOptions): Generator<Row> {
  for (const spans of walkTimeline(lanes.map(({ points }) => points))) {
    const { points } = lanes[spans[0]?.series ?? 0] as Lane;
    const first = spans[0]?.from ?? 0;
    const stamp = printStamp(points.stamps[first] as string, points.instants[first] as number);
    for (const [group, rows] of groupValues(spans, lanes, width)) {
      for (const values of rows) yield [stamp, ...(groups[group] as Group).constants, ...values];
    }
  }
}

/** The value rows of one instant, by group in order. */
function groupValues(spans: readonly Span[], lanes: readonly Lane[], width: number): [group: number, rows: Cell[][]][] {
  const groups = new Map<number, Cell[][]>();
  const taken = new Map<number, number>();
  for (const { series, from, to } of spans) {
    const { group, column, points } = lanes[series] as Lane;
    const rows = groups.get(group) ?? [];
    groups.set(group, rows);
    for (let index = from; index < to; index++) {
      const depth = taken.get(group * width + column) ?? 0;
      taken.set(group * width + column, depth + 1);
      const row = (rows[depth] ??= new Array<Cell>(width).fill(null));
      row[column] = points.values[index] ?? null;
    }
  }
  return [...groups].sort(([a], [b]) => a - b);
}
