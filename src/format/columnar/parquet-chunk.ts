/** Pages of a column, from the parts of hyparquet-writer: its ParquetWriter takes twice as long, as it is given values and no codes. */
// As in ../parquet.ts, package.json names the one release that these are from.
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import type { ParquetWriter } from "hyparquet-writer/src/parquet-writer.js";
import { writePlain } from "hyparquet-writer/src/plain.js";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { type ColumnData, countNulls, packBits, viewUint8 } from "./column-data.ts";

export type RowGroup = ParquetWriter["row_groups"][number];
type ColumnChunk = RowGroup["columns"][number];
type ColumnMetadata = NonNullable<ColumnChunk["meta_data"]>;
type PageHeader = Parameters<typeof writePageHeader>[1];

const TYPES = { time: "INT64", number: "DOUBLE", text: "BYTE_ARRAY", boolean: "BOOLEAN" } as const;

/** The values of a column that are not null. */
interface EncodedValues {
  readonly encoding: ColumnMetadata["encodings"][number];
  readonly body: Uint8Array;
  readonly dictionary?: { readonly count: number; readonly body: Uint8Array };
  readonly range: Pick<NonNullable<ColumnMetadata["statistics"]>, "min_value" | "max_value">;
}

/** Writes the rows of one column; returns what the footer says of them. */
export function writeColumnChunk(writer: ByteWriter, data: ColumnData, rows: number): ColumnChunk {
  const { column, kind } = data;
  const valid = data.valid.subarray(0, rows);
  const nulls = countNulls(valid);
  const { encoding, body, dictionary, range } = encodeValues(data, valid, nulls);
  const start = writer.offset;
  let unpacked = 0;
  if (dictionary) unpacked += writeDictionary(writer, dictionary);
  const dataStart = writer.offset;
  unpacked += writeData(writer, { encoding, body, valid, nulls, nullable: column.nullable });
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
  if (data.kind === "boolean") return { encoding: "PLAIN", body: packBits(values as Uint8Array), range: findFlags(values as Uint8Array) };
  const range = data.kind === "time" ? findTimes(values as BigInt64Array) : findNumbers(values as Float64Array);
  return { encoding: "PLAIN", body: viewUint8(values), range };
}

/** The values that are not null. */
function takePresent(values: ColumnData["values"], valid: Uint8Array, nulls: number): ColumnData["values"] {
  if (nulls === 0) return values;
  const taken = values.slice();
  let present = 0;
  for (let row = 0; row < valid.length; row++) if (valid[row] === 1) taken[present++] = values[row]!;
  return taken.subarray(0, present);
}

/** A dictionary of the texts that these rows have. */
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

function findTimes(values: BigInt64Array): EncodedValues["range"] {
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
  // The format asks for these, as -0 equals 0.
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

interface DataPage extends Pick<EncodedValues, "encoding" | "body"> {
  readonly valid: Uint8Array;
  readonly nulls: number;
  readonly nullable: boolean;
}

function writeData(writer: ByteWriter, { encoding, body, valid, nulls, nullable }: DataPage): number {
  const levels = new ByteWriter();
  if (nullable) writeRleBitPackedHybrid(levels, valid, 1);
  const packed = snappyCompress(body);
  return writePage(writer, [levels.getBytes(), packed], {
    type: "DATA_PAGE_V2",
    uncompressed_page_size: levels.offset + body.length,
    compressed_page_size: levels.offset + packed.length,
    data_page_header_v2: {
      num_values: valid.length,
      num_nulls: nulls,
      num_rows: valid.length,
      encoding,
      definition_levels_byte_length: levels.offset,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
}

/** Returns its size as if it were not packed. */
function writePage(writer: ByteWriter, body: readonly Uint8Array[], header: PageHeader): number {
  const start = writer.offset;
  writePageHeader(writer, header);
  const headerLength = writer.offset - start;
  for (const part of body) writer.appendBytes(part);
  return headerLength + header.uncompressed_page_size;
}
