/** arrow: the Arrow IPC file format, also known as Feather version 2. */
import {
  bool,
  type DataType,
  dateDay,
  dictionary,
  field,
  float64,
  int32,
  type Schema,
  timestamp,
  TimeUnit,
  utf8,
} from "@uwdata/flechette";
import { EOS, MAGIC, MessageHeader } from "@uwdata/flechette/src/constants.js";
import { Builder } from "@uwdata/flechette/src/encode/builder.js";
import { encodeDictionaryBatch } from "@uwdata/flechette/src/encode/dictionary-batch.js";
import { writeFooter } from "@uwdata/flechette/src/encode/footer.js";
import { type Block, writeMessage } from "@uwdata/flechette/src/encode/message.js";
import { encodeRecordBatch, type RecordBatch } from "@uwdata/flechette/src/encode/record-batch.js";
import { encodeSchema } from "@uwdata/flechette/src/encode/schema.js";
import { type ColumnType, type TypedColumn, typeSeriesColumns } from "./columnar/columns.ts";
import { type RowBatch, type ColumnData, countNulls, packBits, viewUint8 } from "./columnar/frame.ts";
import { type ColumnarWriter, openColumnar } from "./columnar/open-columnar.ts";
import type { Format } from "./format.ts";

export const arrow: Format = {
  collects: false,
  typed: true,
  describe: typeSeriesColumns,
  open: (header) => openColumnar(header, (columns) => new ArrowWriter(columns)),
};

class ArrowWriter implements ColumnarWriter {
  readonly #fields: Schema["fields"];
  readonly #dictionaries: Block[] = [];
  readonly #records: Block[] = [];
  readonly #builder = new Builder({ write: (bytes) => void this.#parts.push(bytes) });
  #parts: Uint8Array[] = [];

  constructor(columns: readonly TypedColumn[]) {
    this.#fields = columns.map(({ name, type, nullable }, index) => field(name, TYPES[type](index), nullable));
    this.#builder.addBuffer(MAGIC);
    writeMessage(this.#builder, MessageHeader.Schema, encodeSchema(this.#builder, { fields: this.#fields }), 0);
  }

  write(frame: RowBatch): Iterable<Uint8Array> {
    const batch = alignBuffers(frame.columns.map((column) => toColumn(column, frame.rows)));
    writeMessage(
      this.#builder,
      MessageHeader.RecordBatch,
      encodeRecordBatch(this.#builder, batch),
      batch.byteLength,
      this.#records,
    );
    return this.#take(batch.buffers);
  }

  /**
   * Writes dictionaries last, when all their values are known; readers find them through the footer. (Polars rejects
   * delta dictionaries.) With a single batch they are first, for readers that stream the file from its start.
   */
  *end(frame: RowBatch, datapackage: string): Generator<Uint8Array> {
    const isFirst = this.#records.length === 0;
    if (isFirst) yield* this.#writeDictionaries(frame);
    // Polars requires at least one batch, even an empty one.
    if (isFirst || frame.rows > 0) yield* this.write(frame);
    if (!isFirst) yield* this.#writeDictionaries(frame);
    this.#builder.addBuffer(EOS);
    const schema = { fields: this.#fields, metadata: new Map([["datapackage", datapackage]]) };
    writeFooter(this.#builder, schema, this.#dictionaries, this.#records);
    yield* this.#take();
  }

  *#writeDictionaries({ columns }: RowBatch): Generator<Uint8Array> {
    for (const [id, column] of columns.entries()) {
      if (column.kind !== "text") continue;
      const data = toDictionary(column.texts);
      const content = encodeDictionaryBatch(this.#builder, { id, isDelta: false, data });
      writeMessage(this.#builder, MessageHeader.DictionaryBatch, content, data.byteLength, this.#dictionaries);
      yield* this.#take(data.buffers);
    }
  }

  #take(buffers: readonly Uint8Array[] = []): readonly Uint8Array[] {
    for (const buffer of buffers) this.#builder.addBuffer(buffer);
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}

const TYPES: Readonly<Record<ColumnType, (dictionaryId: number) => DataType>> = {
  instant: () => timestamp(TimeUnit.MICROSECOND, "UTC"),
  "wall-clock": () => timestamp(TimeUnit.MICROSECOND, null),
  text: (id) => dictionary(utf8(), int32(), false, id),
  date: dateDay,
  boolean: bool,
  number: float64,
};

const EMPTY = new Uint8Array();

/** A column of a record batch; its first buffer marks the rows that have a value. */
interface ArrowColumn {
  readonly length: number;
  readonly nullCount: number;
  readonly buffers: readonly Uint8Array[];
}

function toDictionary(texts: readonly string[]): RecordBatch {
  const bytes = texts.map((text) => Buffer.from(text));
  const offsets = new Int32Array(texts.length + 1);
  for (const [index, { length }] of bytes.entries()) offsets[index + 1] = offsets[index]! + length;
  return alignBuffers([
    { length: texts.length, nullCount: 0, buffers: [EMPTY, viewUint8(offsets), Buffer.concat(bytes)] },
  ]);
}

function toColumn(data: ColumnData, rows: number): ArrowColumn {
  const valid = data.valid.subarray(0, rows);
  const nullCount = countNulls(valid);
  const values =
    data.kind === "boolean" ? packBits(data.values.subarray(0, rows)) : viewUint8(data.values.subarray(0, rows));
  return { length: rows, nullCount, buffers: [nullCount === 0 ? EMPTY : packBits(valid), values] };
}

/** Aligns each buffer to 8 bytes. */
function alignBuffers(columns: readonly ArrowColumn[]): RecordBatch {
  const buffers = columns.flatMap((column) => column.buffers);
  let byteLength = 0;
  const regions = buffers.map(({ length }) => {
    const offset = byteLength;
    byteLength += Math.ceil(length / 8) * 8;
    return { offset, length };
  });
  return { byteLength, nodes: columns, regions, buffers, variadic: [] };
}
