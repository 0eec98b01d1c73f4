import type { TimeSeries } from "../time-series.ts";
import { type KnownColumns, learnColumns, startColumns } from "./columns.ts";
import type { Layout } from "./layout.ts";
import { layOutLong } from "./long.ts";
import { walkRows } from "./rows.ts";
import type { Shape, StampPrinter, Table } from "./table.ts";
import { layOutWide } from "./wide.ts";

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
