import type { Interval } from "../../base/vocabulary.ts";
import type { Points } from "../points.ts";
import type { Label, Labels, TimeSeries } from "../time-series.ts";
import type { LosslessNumber } from "../../base/json.ts";

export interface LayoutOptions {
  readonly shape: Shape;
  /** The wide shape with one column for each value of this label. */
  readonly pivot?: string | undefined;
  /** Whether a column `interval_end` stands after the timestamp. */
  readonly intervalEnd?: boolean | undefined;
  /** Columns after the labels. */
  readonly join?: Join | undefined;
}

/** The columns of the rows, and the position of each series in them. */
export interface RowLayout {
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

/**
 * The cells of a column: timestamps; text, with labels, which may be booleans; or values as JSON text (`40.00`), so that
 * no digit is lost.
 */
export type ColumnKind = "stamp" | "text" | "value";

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The unit of a value column of the wide shape, or of a text column with numbers. */
  readonly unit?: string;
  /** The metric of a value column of the wide shape. */
  readonly metric?: string;
  /** Whether the cells of a text column, but for nulls, are booleans. */
  readonly isBoolean?: boolean;
  /** Whether the cells of a text column, but for nulls, are numbers. */
  readonly isNumber?: true;
  /** In a list: a narrow table leaves out the column with the lowest number first. */
  readonly minor?: number;
}

export type Cell = string | boolean | LosslessNumber | null;

/** One cell per column. */
export type Row = readonly Cell[];

/** Rows can be iterated once. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: Iterable<Row>;
}

export type Shape = "long" | "wide";

/** Columns that are joined to the rows of a series by its labels: from a list, not from the service's answer. */
export interface Join {
  /** They stand after the labels; all are text columns. */
  readonly columns: readonly JoinedColumn[];
  /** One cell for each column; null where nothing is known. */
  readonly cellsOf: (labels: Labels) => readonly Label[];
}

export type JoinedColumn = Column & { readonly kind: "text" };

/** The names of the columns, which no label may have. */
export function nameJoined(join: Join | undefined): string[] {
  return join?.columns.map(({ name }) => name) ?? [];
}

/** The same as labels of the series, for what shows series by their labels. */
export function joinLabels(timeSeries: readonly TimeSeries[], { columns, cellsOf }: Join): TimeSeries[] {
  const widen = (labels: Labels) => {
    const cells = cellsOf(labels);
    return { ...labels, ...Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null])) };
  };
  return timeSeries.map((item) => ({ ...item, series: item.series.map((one) => ({ ...one, labels: widen(one.labels) })) }));
}
