/** How series become rows: the columns, and the place of each series in them. */
import { listLabelLists, listMetrics } from "../order.ts";
import type { Points } from "../points.ts";
import type { TimeSeries } from "../time-series.ts";
import { layOutLong } from "./long.ts";
import { walkRows } from "./rows.ts";
import type { Cell, Column, Shape, StampPrinter, Table } from "./table.ts";
import { layOutWide } from "./wide.ts";

export interface Layout {
  readonly columns: readonly Column[];
  /** Series in the order that their points take at one instant. */
  place(timeSeries: readonly TimeSeries[]): PlacedSeries[];
}

/** A series in the rows of a layout. */
export interface PlacedSeries {
  /** Rank of the rows that it shares with series of the same constants. */
  readonly rank: number;
  /** The cells between the timestamp and the values, the same in all its rows. */
  readonly constants: readonly Cell[];
  /** Which of the value columns is its own. */
  readonly valueColumn: number;
  readonly points: Points;
}

/** What is known of the columns from the query and from the series that have come. */
export interface KnownColumns {
  /** The metrics in the order asked for. */
  readonly asked: readonly string[];
  /** Asked metrics, then those that came unasked, by name. */
  readonly metrics: readonly string[];
  /** Each list of label names that a series had. */
  readonly labelLists: readonly (readonly string[])[];
  /** The unit of each metric that came. */
  readonly units: ReadonlyMap<string, string>;
}

/** What is known before any series has come. */
export function startColumns(asked: readonly string[]): KnownColumns {
  return { asked, metrics: asked, labelLists: [], units: new Map() };
}

export function learnColumns({ asked, metrics, labelLists, units }: KnownColumns, timeSeries: readonly TimeSeries[]): KnownColumns {
  const unasked = metrics.filter((name) => !asked.includes(name));
  const came = timeSeries.map(({ metric }) => metric);
  return {
    asked,
    metrics: listMetrics(asked, [...unasked, ...came]),
    labelLists: listLabelLists(timeSeries, labelLists),
    units: new Map([...timeSeries.map(({ metric, unit }) => [metric, unit] as const), ...units]),
  };
}

export function createLayout(shape: Shape, known: KnownColumns): Layout {
  return shape === "wide" ? layOutWide(known) : layOutLong(known);
}

/** Series as rows under their columns. `metrics`: in the order that their columns or rows are to have. */
export function toTable(
  timeSeries: readonly TimeSeries[],
  { shape, metrics, printStamp }: { shape: Shape; metrics: readonly string[]; printStamp: StampPrinter },
): Table {
  const layout = createLayout(shape, learnColumns(startColumns(metrics), timeSeries));
  return { columns: layout.columns, rows: walkRows(layout, layout.place(timeSeries), printStamp) };
}
