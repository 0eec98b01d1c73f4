import { compareLabels, orderLabelNames, orderTimeSeries } from "../order.ts";
import type { Series, TimeSeries } from "../time-series.ts";
import type { KnownColumns } from "./columns.ts";
import type { Layout, PlacedSeries } from "./layout.ts";
import type { Column } from "./table.ts";

/**
 * One row a timestamp and label set: `timestamp, network, <labels…>, <metric…>`.
 * A second value for a cell that is taken gets a further row.
 */
export function layOutWide({ metrics, labelLists, units }: KnownColumns): Layout {
  const names = orderLabelNames(labelLists);
  return {
    columns: [
      { name: "timestamp", kind: "stamp" },
      ...["network", ...names].map((name): Column => ({ name, kind: "text" })),
      ...metrics.map((name): Column => ({ name, kind: "value", unit: units.get(name) ?? "" })),
    ],
    place: (timeSeries) => placeSeries(orderTimeSeries(timeSeries, metrics), names, metrics),
  };
}

interface Seat extends Omit<PlacedSeries, "rank"> {
  /** The same for all series that share network and labels, and so their rows. */
  readonly row: string;
  readonly series: Series;
}

function placeSeries(ordered: readonly TimeSeries[], names: readonly string[], metrics: readonly string[]): PlacedSeries[] {
  const seats = ordered.flatMap(({ network, metric, series }) =>
    series.map((one): Seat => {
      const constants = [network, ...names.map((name) => one.labels[name] ?? null)];
      return { row: JSON.stringify(constants), series: one, constants, valueColumn: metrics.indexOf(metric), points: one.points };
    }),
  );
  const rows = new Map(seats.map(({ row, series }) => [row, series]));
  const sorted = [...rows].sort(([, a], [, b]) => compareLabels(a, b, names));
  const ranks = new Map(sorted.map(([row], rank) => [row, rank]));
  return seats
    .map(({ row, constants, valueColumn, points }) => ({ rank: ranks.get(row) ?? 0, constants, valueColumn, points }))
    .sort((a, b) => a.rank - b.rank);
}
