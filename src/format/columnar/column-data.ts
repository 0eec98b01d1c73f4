/** The values of a column, for a fixed number of rows. */
import type { Cell } from "../../series/layout/table.ts";
import { toPlainText } from "../cells.ts";
import type { TypedColumn } from "./columns.ts";

export type ColumnData = TimeData | NumberData | TextData | BooleanData;

type Values = BigInt64Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

class Nullable<V extends Values> {
  readonly column: TypedColumn;
  /** 0 where it is null. */
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

  constructor(column: TypedColumn, rows: number) {
    super(column, new BigInt64Array(rows));
  }

  set(row: number, micros: bigint | undefined): void {
    this.values[row] = micros ?? 0n;
    this.valid[row] = micros === undefined ? 0 : 1;
  }
}

export class NumberData extends Nullable<Float64Array<ArrayBuffer>> {
  readonly kind = "number";

  constructor(column: TypedColumn, rows: number) {
    super(column, new Float64Array(rows));
  }

  /** `number`: NaN, which JSON does not have, for null. */
  set(row: number, number: number): void {
    const isNull = Number.isNaN(number);
    this.values[row] = isNull ? 0 : number;
    this.valid[row] = isNull ? 0 : 1;
  }
}

/** The code of a null. */
const NULL = -1;

class CodedData<V extends Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>> extends Nullable<V> {
  set(row: number, code: number): void {
    this.values[row] = code === NULL ? 0 : code;
    this.valid[row] = code === NULL ? 0 : 1;
  }
}

/** Codes are indexes of `texts`, which has no duplicates and only grows. */
export class TextData extends CodedData<Int32Array<ArrayBuffer>> {
  readonly kind = "text";
  readonly texts: string[] = [];
  readonly #codes = new Map<string, number>();

  constructor(column: TypedColumn, rows: number) {
    super(column, new Int32Array(rows));
  }

  /** Of a cell as csv prints it. */
  codeOf(cell: Cell): number {
    if (cell === null) return NULL;
    const text = toPlainText(cell, "text");
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    this.#codes.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

export class BooleanData extends CodedData<Uint8Array<ArrayBuffer>> {
  readonly kind = "boolean";

  constructor(column: TypedColumn, rows: number) {
    super(column, new Uint8Array(rows));
  }

  codeOf(cell: Cell): number {
    return cell === null ? NULL : Number(cell === true);
  }
}

/** The zeros among flags. */
export function countNulls(valid: Uint8Array): number {
  let nulls = valid.length;
  for (let row = 0; row < valid.length; row++) nulls -= valid[row]!;
  return nulls;
}

/** One bit for each 0 or 1, the first in the lowest. */
export function packBits(flags: Uint8Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(flags.length / 8));
  for (let index = 0; index < flags.length; index++) packed[index >> 3]! |= (flags[index] as number) << (index & 7);
  return packed;
}

export function viewBytes({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
