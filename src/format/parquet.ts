/** parquet: row groups of typed columns, compressed with snappy, and a footer with the schema. */
import type { SchemaElement } from "hyparquet-writer";
// Internal modules that any release may change; package.json pins the release.
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { ParquetWriter } from "hyparquet-writer/src/parquet-writer.js";
import { type ColumnType, type TypedColumn, typeSeriesColumns } from "./columnar/columns.ts";
import { type RowBatch, type ColumnData, countNulls, packBits, viewUint8 } from "./columnar/frame.ts";
import { type ColumnarWriter, openColumnar } from "./columnar/open-columnar.ts";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import { writePlain } from "hyparquet-writer/src/plain.js";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import type { Format, Header } from "./format.ts";

export const parquet: Format = {
  collects: false,
  typed: true,
  describe: typeSeriesColumns,
  open: (header) => openColumnar(header, (columns) => createParquetWriter(columns, header)),
};

function createParquetWriter(columns: readonly TypedColumn[], { provenance }: Header): ColumnarWriter {
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: describeSchema(columns),
    createdBy: `ents version ${provenance?.version ?? "unknown"}`,
  });
  return { write, end };

  function* write(frame: RowBatch): Generator<Uint8Array> {
    file.row_groups.push(writeRowGroup(bytes, frame));
    file.num_rows += BigInt(frame.rows);
    yield take();
  }

  function* end(frame: RowBatch, datapackage: string): Generator<Uint8Array> {
    if (frame.rows > 0) yield* write(frame);
    file.kvMetadata = [{ key: "datapackage", value: datapackage }];
    void file.finish();
    yield take();
  }

  function take(): Uint8Array {
    const part = bytes.getBytes();
    bytes.index = 0;
    return part;
  }
}

function writeRowGroup(bytes: ByteWriter, { columns: data, rows }: RowBatch): RowGroup {
  const start = bytes.offset;
  const columns = data.map((column) => writeColumnChunk(bytes, column, rows));
  return {
    columns,
    num_rows: BigInt(rows),
    total_byte_size: columns.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n),
    total_compressed_size: BigInt(bytes.offset - start),
  };
}

const ELEMENTS: Readonly<Record<ColumnType, Omit<SchemaElement, "name">>> = {
  instant: {
    type: "INT64",
    converted_type: "TIMESTAMP_MICROS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
  },
  // With TIMESTAMP_MICROS, older readers would take it for an instant.
  "wall-clock": { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" } },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  boolean: { type: "BOOLEAN" },
  number: { type: "DOUBLE" },
};

function describeSchema(columns: readonly TypedColumn[]): SchemaElement[] {
  return [
    { name: "root", num_children: columns.length },
    ...columns.map(
      ({ name, type, nullable }): SchemaElement => ({
        name,
        repetition_type: nullable ? "OPTIONAL" : "REQUIRED",
        ...ELEMENTS[type],
      }),
    ),
  ];
}

type RowGroup = ParquetWriter["row_groups"][number];
type ColumnChunk = RowGroup["columns"][number];
type ColumnMetadata = NonNullable<ColumnChunk["meta_data"]>;
type PageHeader = Parameters<typeof writePageHeader>[1];

const TYPES = { time: "INT64", day: "INT32", number: "DOUBLE", text: "BYTE_ARRAY", boolean: "BOOLEAN" } as const;

/** The non-null values of a column. */
interface EncodedValues {
  readonly encoding: ColumnMetadata["encodings"][number];
  readonly body: Uint8Array;
  readonly dictionary?: { readonly count: number; readonly body: Uint8Array };
  readonly range: Pick<NonNullable<ColumnMetadata["statistics"]>, "min_value" | "max_value">;
}

/** Writes the rows of one column; returns its metadata for the footer. */
function writeColumnChunk(writer: ByteWriter, data: ColumnData, rows: number): ColumnChunk {
  const { column, kind } = data;
  const valid = data.valid.subarray(0, rows);
  const nulls = countNulls(valid);
  const values = encodeValues(data, valid, nulls);
  const { encoding, dictionary, range } = values;
  const start = writer.offset;
  let unpacked = dictionary ? writeDictionary(writer, dictionary) : 0;
  const dataStart = writer.offset;
  unpacked += writeData(writer, values, { valid, column });
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: TYPES[kind],
      encodings: dictionary ? ["PLAIN", encoding] : [encoding],
      path_in_schema: [column.name],
      codec: "SNAPPY",
      num_values: BigInt(rows),
      total_uncompressed_size: BigInt(unpacked),
      total_compressed_size: BigInt(writer.offset - start),
      data_page_offset: BigInt(dataStart),
      ...(dictionary ? { dictionary_page_offset: BigInt(start) } : {}),
      statistics: { ...range, null_count: BigInt(nulls) },
      encoding_stats: [
        ...(dictionary ? [{ page_type: "DICTIONARY_PAGE" as const, encoding: "PLAIN" as const, count: 1 }] : []),
        { page_type: "DATA_PAGE_V2", encoding, count: 1 },
      ],
    },
  };
}

function encodeValues(data: ColumnData, valid: Uint8Array, nulls: number): EncodedValues {
  const values = takePresent(data.values.subarray(0, valid.length), valid, nulls);
  if (data.kind === "text") return encodeTexts(data.texts, values as Int32Array);
  if (data.kind === "boolean")
    return { encoding: "PLAIN", body: packBits(values as Uint8Array), range: findFlags(values as Uint8Array) };
  if (data.kind === "day") return { encoding: "PLAIN", body: viewUint8(values), range: {} };
  const range = data.kind === "time" ? findTimeRange(values as BigInt64Array) : findNumbers(values as Float64Array);
  return { encoding: "PLAIN", body: viewUint8(values), range };
}

function takePresent(values: ColumnData["values"], valid: Uint8Array, nulls: number): ColumnData["values"] {
  if (nulls === 0) return values;
  const taken = values.slice();
  let present = 0;
  for (let row = 0; row < valid.length; row++) if (valid[row] === 1) taken[present++] = values[row]!;
  return taken.subarray(0, present);
}

/** Encodes texts with a dictionary of those used in these rows. */
function encodeTexts(texts: readonly string[], codes: Int32Array): EncodedValues {
  if (codes.length === 0) return { encoding: "PLAIN", body: new Uint8Array(), range: {} };
  const places = new Int32Array(texts.length).fill(-1);
  const used: Uint8Array[] = [];
  const indexed = new Int32Array(codes.length);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    if (places[code] === -1) places[code] = used.push(Buffer.from(texts[code]!)) - 1;
    indexed[row] = places[code]!;
  }
  const dictionary = new ByteWriter();
  writePlain(dictionary, used, "BYTE_ARRAY", undefined);
  const indexes = new ByteWriter();
  const bits = Math.ceil(Math.log2(used.length));
  indexes.appendUint8(bits);
  writeRleBitPackedHybrid(indexes, indexed, bits);
  const sorted = used.toSorted((a, b) => Buffer.compare(a, b));
  return {
    encoding: "RLE_DICTIONARY",
    body: indexes.getBytes(),
    dictionary: { count: used.length, body: dictionary.getBytes() },
    range: { min_value: sorted[0]!, max_value: sorted.at(-1)! },
  };
}

function findFlags(values: Uint8Array): EncodedValues["range"] {
  return values.length === 0 ? {} : { min_value: !values.includes(0), max_value: values.includes(1) };
}

function findTimeRange(values: BigInt64Array): EncodedValues["range"] {
  let [min, max] = [values[0], values[0]];
  if (min === undefined || max === undefined) return {};
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (value < min) min = value;
    else if (value > max) max = value;
  }
  return { min_value: min, max_value: max };
}

function findNumbers(values: Float64Array): EncodedValues["range"] {
  let [min, max] = [values[0], values[0]];
  if (min === undefined || max === undefined) return {};
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (value < min) min = value;
    else if (value > max) max = value;
  }
  // Required by the format, because -0 equals 0.
  return { min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max };
}

function writeDictionary(writer: ByteWriter, { count, body }: NonNullable<EncodedValues["dictionary"]>): number {
  const packed = snappyCompress(body);
  return writePage(writer, [packed], {
    type: "DICTIONARY_PAGE",
    uncompressed_page_size: body.length,
    compressed_page_size: packed.length,
    dictionary_page_header: { num_values: count, encoding: "PLAIN" },
  });
}

/** `valid`: 1 for a value, 0 for null. */
function writeData(
  writer: ByteWriter,
  { encoding, body }: EncodedValues,
  { valid, column }: Pick<ColumnData, "valid" | "column">,
): number {
  const levels = new ByteWriter();
  if (column.nullable) writeRleBitPackedHybrid(levels, valid, 1);
  const packed = snappyCompress(body);
  return writePage(writer, [levels.getBytes(), packed], {
    type: "DATA_PAGE_V2",
    uncompressed_page_size: levels.offset + body.length,
    compressed_page_size: levels.offset + packed.length,
    data_page_header_v2: {
      num_values: valid.length,
      num_nulls: countNulls(valid),
      num_rows: valid.length,
      encoding,
      definition_levels_byte_length: levels.offset,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
}

/** Returns the uncompressed size. */
function writePage(writer: ByteWriter, body: readonly Uint8Array[], header: PageHeader): number {
  const start = writer.offset;
  writePageHeader(writer, header);
  const headerLength = writer.offset - start;
  for (const part of body) writer.appendBytes(part);
  return headerLength + header.uncompressed_page_size;
}
