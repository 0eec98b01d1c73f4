import type { Cell } from "../../series/layout/table.ts";
import { BooleanData, type ColumnData, NumberData, TextData, TimeData } from "./column-data.ts";
import type { TypedColumn } from "./columns.ts";

/**
 * Cells of a frame: 100,000 rows of a long result. A million rows in frames of 10,000, 100,000 and 1,000,000 take 1, 1 and
 * 1.2 times as long; larger ones need memory, smaller ones make footers and readers slow.
 */
const MAX_CELLS = 1_000_000;
const MAX_ROWS = 100_000;
const MIN_ROWS = 1000;

/** The rows that become one row group, or record batch. Its memory is used again for the next ones. */
export class Frame {
  readonly columns: readonly ColumnData[];
  readonly times: readonly TimeData[];
  /** The columns between timestamps and values. */
  readonly constants: readonly (TextData | BooleanData)[];
  readonly numbers: readonly NumberData[];
  readonly capacity: number;
  rows = 0;

  constructor(columns: readonly TypedColumn[]) {
    this.capacity = Math.max(MIN_ROWS, Math.min(MAX_ROWS, Math.floor(MAX_CELLS / columns.length)));
    this.columns = columns.map((column) => createData(column, this.capacity));
    this.times = this.columns.filter((data) => data.kind === "time");
    this.constants = this.columns.filter((data) => data.kind === "text" || data.kind === "boolean");
    this.numbers = this.columns.filter((data) => data.kind === "number");
  }

  get isFull(): boolean {
    return this.rows === this.capacity;
  }

  /** The codes of the constants, for `setConstants`. */
  encode(constants: readonly Cell[]): readonly number[] {
    return this.constants.map((data, index) => data.codeOf(constants[index] ?? null));
  }

  /** Of the current row. */
  setConstants(codes: readonly number[]): void {
    for (let index = 0; index < codes.length; index++) this.constants[index]!.set(this.rows, codes[index]!);
  }
}

function createData(column: TypedColumn, rows: number): ColumnData {
  switch (column.type) {
    case "instant":
    case "wall-clock":
      return new TimeData(column, rows);
    case "text":
      return new TextData(column, rows);
    case "boolean":
      return new BooleanData(column, rows);
    case "number":
      return new NumberData(column, rows);
  }
}
