import type { Interval } from "../../base/intervals.ts";
import type { Points } from "../points.ts";
import type { Label, Labels, Series, TimeSeries } from "../time-series.ts";
import { LosslessNumber } from "../../base/json.ts";
import type { TimestampPrinter } from "../../time/timestamp-printer.ts";

export interface LayoutOptions {
  readonly shape: Shape;
  /** A label whose values become columns, in the wide shape. */
  readonly pivot?: string | undefined;
  /**
   * True to add a column `interval_end` after the timestamp and, where the timestamp is not the start, `interval_start`
   * before it.
   */
  readonly intervalEnd?: boolean | undefined;
  /** Columns to add after the labels. */
  readonly join?: Join | undefined;
  readonly keys?: RowKeys | undefined;
  /** The value columns of the long shape, if there are others than `value`. */
  readonly figures?: readonly Column[] | undefined;
  /** Prints `forecast_run_time`, a column of rows with forecasts; without a printer there is none. */
  readonly printRun?: TimestampPrinter | undefined;
}

/** The columns of the rows, and the position of each series in them. */
export interface RowLayout {
  readonly columns: readonly Column[];
  readonly keys?: RowKeys | undefined;
  /** Returns the series in the order of their rows at one instant. */
  place(timeSeries: readonly TimeSeries[]): PlacedSeries[];
}

export interface PlacedSeries {
  /** The order of its rows at one instant; series with the same constants share rows. */
  readonly rank: number;
  /** The cells between timestamp and values, the same in all its rows. */
  readonly constants: readonly Cell[];
  readonly valueColumn: number;
  /** The UTC offset of its network's time, in minutes; undefined if unknown. */
  readonly networkOffset: number | undefined;
  /** Undefined if unknown to ents. */
  readonly interval: Interval | undefined;
  readonly points: Points;
  /** The series itself, with its TimeSeries. */
  readonly source: { readonly item: TimeSeries; readonly series: Series };
}

/**
 * `timestamp`: timestamps; `key`: what stands in place of them; `text`: text and labels, which may be booleans;
 * `value`: JSON text (`40.00`), so that no digit is lost.
 */
export type ColumnKind = "timestamp" | "key" | "text" | "value";

/**
 * What rows have in place of a timestamp, such as the time of day. The instants of their points are positions, which
 * order the rows.
 */
export interface RowKeys {
  /** Of the kind `key`. */
  readonly columns: readonly Column[];
  /** Returns a cell for each column. */
  readonly cellsAt: (position: number) => readonly Cell[];
}

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The unit of a value column of the wide shape, or of another column with numbers. */
  readonly unit?: string;
  /** The metric of a value column of the wide shape. */
  readonly metric?: string;
  /** True if all cells of a text column are booleans or null. */
  readonly isBoolean?: boolean;
  /** True if all cells of a column of keys or texts are numbers or null. */
  readonly isNumber?: true;
  /** True if all cells of a column of keys or texts are timestamps or null. */
  readonly isTimestamp?: true;
  /** True if all cells of a column of texts are days or null. */
  readonly isDate?: true;
  /** For lists: a table that is too narrow for all columns omits the one with the lowest number first. */
  readonly minor?: number;
}

/** The value columns of a comparison with earlier values. */
export const COMPARED_COLUMNS: readonly Column[] = ["value", "before", "change", "change_percent"].map((name) => ({
  name,
  kind: "value",
}));

/** True if the first column is the timestamp of the points of series. */
export function hasTimestamps(columns: readonly Column[]): boolean {
  return columns[0]?.kind === "timestamp";
}

/** The number of columns with timestamps, which stand first. */
export function countTimes(columns: readonly Column[]): number {
  return columns.filter(({ kind }) => kind === "timestamp").length;
}

export type Cell = string | boolean | LosslessNumber | null;

export type Row = readonly Cell[];

/** Of a printed timestamp: times since 1970 are numbers. */
export function toTimeCell(printed: string): Cell {
  return /^-?\d+$/.test(printed) ? new LosslessNumber(printed) : printed;
}

/** `rows` can be iterated only once. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: Iterable<Row>;
}

export type Shape = "long" | "wide";

/** Columns joined to the rows of a series by its labels; their cells come from a list, not from the response. */
export interface Join {
  /** Text columns, placed after the labels. */
  readonly columns: readonly JoinedColumn[];
  /** Returns one cell per column; null if unknown. */
  readonly cellsOf: (labels: Labels) => readonly Label[];
}

type JoinedColumn = Column & { readonly kind: "text" };

/** Names of the joined columns; labels must not use them. */
export function nameJoined(join: Join | undefined): string[] {
  return join?.columns.map(({ name }) => name) ?? [];
}

/** Adds the joined cells to the labels of each series, for outputs that show labels. */
export function joinLabels(timeSeries: readonly TimeSeries[], { columns, cellsOf }: Join): TimeSeries[] {
  const widen = (labels: Labels) => {
    const cells = cellsOf(labels);
    return { ...labels, ...Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null])) };
  };
  return timeSeries.map((item) => ({
    ...item,
    series: item.series.map((series) => ({ ...series, labels: widen(series.labels) })),
  }));
}
