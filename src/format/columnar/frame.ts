import type { Cell } from "../../series/layout/layout.ts";
import { BooleanData, type ColumnData, NumberData, TextData, TimeData } from "./column-data.ts";
import type { TypedColumn } from "./columns.ts";

/** Fewer rows make footers long and readers slow; more take memory, and no less time. */
const MAX_ROWS = 100_000;
const MIN_ROWS = 1000;
const MAX_CELLS = 1_000_000;

/** The rows that become one row group, or record batch. Its memory is used again for the next ones. */
export class RowBatch {
  readonly columns: readonly ColumnData[];
  readonly times: readonly TimeData[];
  /** The columns between timestamps and values. */
  readonly constants: readonly (TextData | BooleanData | NumberData)[];
  readonly numbers: readonly NumberData[];
  rows = 0;
  readonly #capacity: number;

  constructor(columns: readonly TypedColumn[], capacity = Math.max(MIN_ROWS, Math.min(MAX_ROWS, Math.floor(MAX_CELLS / columns.length)))) {
    this.#capacity = capacity;
    this.columns = columns.map((column) => createData(column, this.#capacity));
    this.times = this.columns.filter((data) => data.kind === "time");
    this.constants = this.columns.filter((data) => data.kind !== "time" && !isValue(data));
    this.numbers = this.columns.filter(isValue);
  }

  /** It takes more rows, but should be written. */
  get isFull(): boolean {
    return this.rows >= this.#capacity;
  }

  /** A row whose numbers are null. Its index. */
  openRow(): number {
    const row = this.rows++;
    if (row >= this.#capacity) for (const data of this.columns) data.reserve(this.rows);
    for (const data of this.numbers) data.set(row, Number.NaN);
    return row;
  }

  clear(): void {
    this.rows = 0;
    for (const data of this.numbers) data.filled = 0;
  }

  /** The codes of the constants, for `setConstants`. */
  encode(constants: readonly Cell[]): readonly number[] {
    return this.constants.map((data, index) => data.codeOf(constants[index] ?? null));
  }

  setConstants(row: number, codes: readonly number[]): void {
    for (let index = 0; index < codes.length; index++) this.constants[index]!.set(row, codes[index]!);
  }
}

function isValue(data: ColumnData): data is NumberData {
  return data.kind === "number" && !data.column.isConstant;
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
