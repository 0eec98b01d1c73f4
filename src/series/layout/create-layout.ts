import type { TimeSeries } from "../time-series.ts";
import { addColumns, type KnownColumns, startColumns } from "./columns.ts";
import type { Layout, LayoutOptions } from "./layout.ts";
import { layOutLong } from "./long.ts";
import { walkRows } from "./rows.ts";
import type { StampPrinter } from "../../time/stamp-printer.ts";
import type { Column, Table } from "./table.ts";
import { layOutWide } from "./wide.ts";

export function createLayout({ shape, join, intervalEnd = false }: LayoutOptions, known: KnownColumns): Layout {
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
