/** parquet: row groups of typed columns, compressed with snappy, and a footer with the schema. */
import type { SchemaElement } from "hyparquet-writer";
// Internal modules that any release may change; package.json pins the release.
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { ParquetWriter } from "hyparquet-writer/src/parquet-writer.js";
import { type ColumnType, type TypedColumn, typeSeriesColumns } from "./columnar/columns.ts";
import type { RowBatch } from "./columnar/frame.ts";
import { type ColumnarWriter, openColumnar } from "./columnar/open-columnar.ts";
import { type RowGroup, writeColumnChunk } from "./columnar/parquet-chunk.ts";
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
