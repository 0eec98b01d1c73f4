import type { TimeSeries } from "../time-series.ts";
import { addColumns, type KnownColumns, startColumns } from "./columns.ts";
import type { Layout } from "./layout.ts";
import { layOutLong } from "./long.ts";
import { walkRows } from "./rows.ts";
import type { StampPrinter } from "../../time/zones.ts";
import type { Shape, Table } from "./table.ts";
import { layOutWide } from "./wide.ts";

export function createLayout(shape: Shape, known: KnownColumns): Layout {
  return shape === "wide" ? layOutWide(known) : layOutLong(known);
}

/** Series as columns and rows. `metrics`: the order of their columns or rows. */
export function toTable(
  timeSeries: readonly TimeSeries[],
  { shape, metrics, printStamp }: { shape: Shape; metrics: readonly string[]; printStamp: StampPrinter },
): Table {
  const layout = createLayout(shape, addColumns(startColumns(metrics), timeSeries));
  return { columns: layout.columns, rows: walkRows(layout, layout.place(timeSeries), printStamp) };
}
