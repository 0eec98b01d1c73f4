import type { LosslessNumber } from "../../base/json.ts";

/**
 * What a cell holds: a timestamp; text of the service (labels too, which may be booleans);
 * or a value, as JSON text (`40.00`) so that no digit is lost.
 */
export type ColumnKind = "stamp" | "text" | "value";

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The unit of a value column of the wide shape. */
  readonly unit?: string;
}

export type Cell = string | boolean | LosslessNumber | null;

/** One cell a column. */
export type Row = readonly Cell[];

/** Rows under their columns; rows can be walked once. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: Iterable<Row>;
}

export type Shape = "long" | "wide";

/** How an instant is printed; `stamp` is how the service wrote it. */
export type StampPrinter = (stamp: string, instant: number) => string;
