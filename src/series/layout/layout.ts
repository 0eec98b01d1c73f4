import type { Points } from "../points.ts";
import type { TimeSeries } from "../time-series.ts";
import type { Cell, Column } from "./table.ts";

/** How series become rows: the columns, and the place of each series in them. */
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
