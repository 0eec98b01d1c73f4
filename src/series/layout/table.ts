import type { LosslessNumber } from "../../base/json.ts";

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
  /** Of a text column: whether its cells, but for nulls, are booleans. */
  readonly isBoolean?: boolean;
  /** Of a text column: whether its cells, but for nulls, are numbers. */
  readonly isNumber?: true;
  /** Of a list: a narrow table leaves out the column with the lowest number first. */
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
