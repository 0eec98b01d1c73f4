/** Columns as the buffers of Arrow record batches. */
import type { RecordBatch } from "@uwdata/flechette/src/encode/record-batch.js";
import { type ColumnData, countNulls, packBits, viewBytes } from "./column-data.ts";

const EMPTY = new Uint8Array();

/** A column of a batch: its first buffer says which rows have a value. */
interface ArrowColumn {
  readonly length: number;
  readonly nullCount: number;
  readonly buffers: readonly Uint8Array[];
}

/** The first `rows` rows. */
export function toRecordBatch(columns: readonly ColumnData[], rows: number): RecordBatch {
  return layOut(columns.map((data) => toColumn(data, rows)));
}

/** A dictionary's values. */
export function toDictionary(texts: readonly string[]): RecordBatch {
  const bytes = texts.map((text) => Buffer.from(text));
  const offsets = new Int32Array(texts.length + 1);
  for (const [index, { length }] of bytes.entries()) offsets[index + 1] = offsets[index]! + length;
  return layOut([{ length: texts.length, nullCount: 0, buffers: [EMPTY, viewBytes(offsets), Buffer.concat(bytes)] }]);
}

function toColumn(data: ColumnData, rows: number): ArrowColumn {
  const valid = data.valid.subarray(0, rows);
  const nullCount = countNulls(valid);
  const values = data.kind === "boolean" ? packBits(data.values.subarray(0, rows)) : viewBytes(data.values.subarray(0, rows));
  return { length: rows, nullCount, buffers: [nullCount === 0 ? EMPTY : packBits(valid), values] };
}

/** Each buffer begins at a multiple of 8 bytes. */
function layOut(columns: readonly ArrowColumn[]): RecordBatch {
  const buffers = columns.flatMap((column) => column.buffers);
  let byteLength = 0;
  const regions = buffers.map(({ length }) => {
    const offset = byteLength;
    byteLength += Math.ceil(length / 8) * 8;
    return { offset, length };
  });
  return { byteLength, nodes: columns, regions, buffers, variadic: [] };
}
