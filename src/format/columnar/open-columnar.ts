/** The encoder that parquet and arrow share: rows become frames of typed columns. */
import { toJsonText } from "../../base/json.ts";
import { AnswerLog, describePackage } from "../datapackage.ts";
import type { Batch, Encoder, Header } from "../format.ts";
import { type TypedColumn, typeSeriesColumns, typeTableColumns } from "./columns.ts";
import { createSeriesFill, createTableFill, type Fill } from "./fill.ts";
import { RowBatch } from "./frame.ts";

/** Writes frames as one file. Parts are valid until the next one is requested. */
export interface ColumnarWriter {
  write(frame: RowBatch): Iterable<Uint8Array>;
  /** The rows that are left, perhaps none, and the end of the file. `datapackage`: JSON text. */
  end(frame: RowBatch, datapackage: string): Iterable<Uint8Array>;
}

type CreateWriter = (columns: readonly TypedColumn[]) => ColumnarWriter;

export function openColumnar(header: Header, createWriter: CreateWriter): Encoder {
  const answers = new AnswerLog();
  let opened: Opened | undefined;
  return { write, end };

  function* write(batch: Batch): Generator<Uint8Array> {
    opened ??= openFile(header, batch.chunk !== undefined, createWriter);
    if (batch.chunk) answers.add(batch.chunk.heads);
    const { frame, fill, writer } = opened;
    for (const _ of fill(batch)) yield* writer.write(frame);
  }

  function* end(): Generator<Uint8Array> {
    const { columns, frame, writer } = (opened ??= openFile(header, header.columns[0]?.kind === "stamp", createWriter));
    const { provenance, zone } = header;
    yield* writer.end(frame, toJsonText(describePackage({ columns, provenance, zone, requests: answers.list() })));
  }
}

interface Opened {
  readonly columns: readonly TypedColumn[];
  readonly frame: RowBatch;
  readonly fill: Fill;
  readonly writer: ColumnarWriter;
}

function openFile({ columns: untyped, zone }: Header, hasSeries: boolean, createWriter: CreateWriter): Opened {
  const columns = hasSeries ? typeSeriesColumns(untyped) : typeTableColumns(untyped);
  const frame = new RowBatch(columns);
  return { columns, frame, fill: hasSeries ? createSeriesFill(frame, zone) : createTableFill(frame), writer: createWriter(columns) };
}
