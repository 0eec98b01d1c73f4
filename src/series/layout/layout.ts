import type { Interval } from "../../base/vocabulary.ts";
import type { Points } from "../points.ts";
import type { TimeSeries } from "../time-series.ts";
import type { Join } from "./join.ts";
import type { Cell, Column, Shape } from "./table.ts";

export interface LayoutOptions {
  readonly shape: Shape;
  /** The wide shape with one column for each value of this label. */
  readonly pivot?: string | undefined;
  /** Whether a column `interval_end` stands after the timestamp. */
  readonly intervalEnd?: boolean;
  /** Columns after the labels. */
  readonly join?: Join | undefined;
}

/** The columns of the rows, and the position of each series in them. */
export interface Layout {
  readonly columns: readonly Column[];
  /** Series in the order of their points at one instant. */
  place(timeSeries: readonly TimeSeries[]): PlacedSeries[];
}

export interface PlacedSeries {
  /** The order of its rows at one instant; series with the same constants share rows. */
  readonly rank: number;
  /** The cells between timestamp and values, the same in all its rows. */
  readonly constants: readonly Cell[];
  /** The index of its value column. */
  readonly valueColumn: number;
  /** The UTC offset of its network's time, in minutes; undefined if unknown. */
  readonly networkOffset: number | undefined;
  /** Undefined if ents does not know it. */
  readonly interval: Interval | undefined;
  readonly points: Points;
}
