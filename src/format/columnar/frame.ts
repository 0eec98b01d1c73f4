/** Collects rows as columns of typed values. */
import type { Cell } from "../../series/layout/layout.ts";
import type { TypedColumn } from "./columns.ts";
import { isLosslessNumber } from "../../base/json.ts";
import { parseTimestamp } from "../../time/timestamp.ts";
import { DAY } from "../../time/local-time.ts";
import { toPlainText } from "../cells.ts";

/** Fewer rows make footers long and readers slow; more take memory and save no time. */
const MAX_ROWS = 100_000;
const MIN_ROWS = 1000;
const MAX_CELLS = 1_000_000;

/** The rows that become one row group or record batch. The memory is reused for the next rows. */
export class RowBatch {
  readonly columns: readonly ColumnData[];
  readonly times: readonly TimeData[];
  /** The columns between timestamps and values. */
  readonly constants: readonly ConstantData[];
  readonly numbers: readonly NumberData[];
  rows = 0;
  readonly #capacity: number;

  constructor(
    columns: readonly TypedColumn[],
    capacity = Math.max(MIN_ROWS, Math.min(MAX_ROWS, Math.floor(MAX_CELLS / columns.length))),
  ) {
    this.#capacity = capacity;
    this.columns = columns.map((column) => createData(column, this.#capacity));
    this.times = this.columns.filter((data) => data instanceof TimeData);
    this.constants = this.columns.filter((data): data is ConstantData => "codeOf" in data && !isValue(data));
    this.numbers = this.columns.filter(isValue);
  }

  /** True if the batch must be written before the next row. */
  get isFull(): boolean {
    return this.rows >= this.#capacity;
  }

  /** Adds a row whose numbers are null and returns its index. */
  openRow(): number {
    const row = this.rows++;
    for (const data of this.numbers) data.set(row, Number.NaN);
    return row;
  }

  clear(): void {
    this.rows = 0;
  }

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
  if (column.type === "text") return new TextData(column, new Int32Array(rows));
  if (column.type === "boolean") return new BooleanData(column, new Uint8Array(rows));
  if (column.type === "date") return new DayData(column, new Int32Array(rows));
  if (column.type === "number") return new NumberData(column, new Float64Array(rows));
  return column.isConstant
    ? new MomentData(column, new BigInt64Array(rows))
    : new TimeData(column, new BigInt64Array(rows));
}

type ConstantData = DayData | MomentData | NumberData | TextData | BooleanData;
export type ColumnData = TimeData | ConstantData;

class Nullable<V extends { readonly length: number }> {
  readonly column: TypedColumn;
  /** 0 for null. */
  readonly values: V;
  /** 1 for a value, 0 for null. */
  readonly valid: Uint8Array<ArrayBuffer>;

  constructor(column: TypedColumn, values: V) {
    this.column = column;
    this.values = values;
    this.valid = new Uint8Array(values.length);
  }
}

/** Instants and wall clocks, in microseconds since 1970. */
export class TimeData extends Nullable<BigInt64Array<ArrayBuffer>> {
  readonly kind = "time";

  set(row: number, micros: bigint | undefined): void {
    this.values[row] = micros ?? 0n;
    this.valid[row] = micros === undefined ? 0 : 1;
  }
}

/** Instants that are the same in all rows of a series, in microseconds since 1970. */
class MomentData extends Nullable<BigInt64Array<ArrayBuffer>> {
  readonly kind = "time";

  /** Returns milliseconds since 1970; NaN for null. */
  codeOf(cell: Cell): number {
    return (typeof cell === "string" ? parseTimestamp(cell, "Z") : undefined) ?? Number.NaN;
  }

  set(row: number, ms: number): void {
    const isNull = Number.isNaN(ms);
    this.values[row] = isNull ? 0n : BigInt(ms) * 1000n;
    this.valid[row] = isNull ? 0 : 1;
  }
}

/** Days since 1970. */
class DayData extends Nullable<Int32Array<ArrayBuffer>> {
  readonly kind = "day";

  /** NaN for null. */
  codeOf(cell: Cell): number {
    return typeof cell === "string" ? Date.parse(cell) / DAY : Number.NaN;
  }

  set(row: number, day: number): void {
    this.values[row] = Number.isNaN(day) ? 0 : day;
    this.valid[row] = Number.isNaN(day) ? 0 : 1;
  }
}

export class NumberData extends Nullable<Float64Array<ArrayBuffer>> {
  readonly kind = "number";

  /** Returns the value itself, as constants have no dictionary. */
  codeOf(cell: Cell): number {
    return isLosslessNumber(cell) ? Number(cell.value) : Number.NaN;
  }

  /** `number`: NaN, which JSON does not have, stands for null. */
  set(row: number, number: number): void {
    const isNull = Number.isNaN(number);
    this.values[row] = isNull ? 0 : number;
    this.valid[row] = isNull ? 0 : 1;
  }
}

const NULL = -1;

class CodedData<V extends Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>> extends Nullable<V> {
  set(row: number, code: number): void {
    this.values[row] = code === NULL ? 0 : code;
    this.valid[row] = code === NULL ? 0 : 1;
  }
}

/** Codes are indexes into `texts`, which has no duplicates and only grows. */
class TextData extends CodedData<Int32Array<ArrayBuffer>> {
  readonly kind = "text";
  readonly texts: string[] = [];
  readonly #codes = new Map<string, number>();

  /** Returns the code of a cell's text, as csv prints it. */
  codeOf(cell: Cell): number {
    if (cell === null) return NULL;
    const text = toPlainText(cell, "text");
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    this.#codes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

class BooleanData extends CodedData<Uint8Array<ArrayBuffer>> {
  readonly kind = "boolean";

  codeOf(cell: Cell): number {
    return cell === null ? NULL : Number(cell === true);
  }
}

/** Counts the zeros among the flags. */
export function countNulls(valid: Uint8Array): number {
  let nulls = valid.length;
  for (let row = 0; row < valid.length; row++) nulls -= valid[row]!;
  return nulls;
}

/** Packs flags of 0 or 1 into bits, the first into the lowest bit. */
export function packBits(flags: Uint8Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(flags.length / 8));
  for (let index = 0; index < flags.length; index++) packed[index >> 3]! |= (flags[index] as number) << (index & 7);
  return packed;
}

export function viewUint8({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
