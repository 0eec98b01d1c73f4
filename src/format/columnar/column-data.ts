/** The values of a column, for a fixed number of rows. */
import { isLosslessNumber } from "../../base/json.ts";
import type { Cell } from "../../series/layout/layout.ts";
import { toPlainText } from "../cells.ts";
import type { TypedColumn } from "./columns.ts";

export type ColumnData = TimeData | NumberData | TextData | BooleanData;

interface Values<V> {
  readonly length: number;
  set(values: V): void;
}

class Nullable<V extends Values<V>> {
  readonly column: TypedColumn;
  /** 0 where it is null. */
  values: V;
  /** 1 for a value, 0 for null. */
  valid: Uint8Array<ArrayBuffer>;
  readonly #create: (rows: number) => V;

  constructor(column: TypedColumn, rows: number, create: (rows: number) => V) {
    this.column = column;
    this.values = create(rows);
    this.valid = new Uint8Array(rows);
    this.#create = create;
  }

  reserve(rows: number): void {
    if (rows <= this.values.length) return;
    const [values, valid] = [this.#create(rows * 2), new Uint8Array(rows * 2)];
    values.set(this.values);
    valid.set(this.valid);
    [this.values, this.valid] = [values, valid];
  }
}

/** Instants and wall clocks, in microseconds since 1970. */
export class TimeData extends Nullable<BigInt64Array<ArrayBuffer>> {
  readonly kind = "time";

  constructor(column: TypedColumn, rows: number) {
    super(column, rows, (length) => new BigInt64Array(length));
  }

  set(row: number, micros: bigint | undefined): void {
    this.values[row] = micros ?? 0n;
    this.valid[row] = micros === undefined ? 0 : 1;
  }
}

export class NumberData extends Nullable<Float64Array<ArrayBuffer>> {
  readonly kind = "number";
  /** The rows up to the last one with a point, be it null: the next point goes further down. */
  filled = 0;

  constructor(column: TypedColumn, rows: number) {
    super(column, rows, (length) => new Float64Array(length));
  }

  /** A constant is its own code. */
  codeOf(cell: Cell): number {
    return isLosslessNumber(cell) ? Number(cell.value) : Number.NaN;
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
    super(column, rows, (length) => new Int32Array(length));
  }

  /** The code of a cell as csv prints it. */
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
    super(column, rows, (length) => new Uint8Array(length));
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

export function viewUint8({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
