/** From an answer to text, by the output's format. */
import { toRecords } from "../format/cells.ts";
import type { Query } from "../query/query.ts";
import { toLongTable } from "../rows/long.ts";
import type { Table } from "../rows/table.ts";
import { toWideTable } from "../rows/wide.ts";
import { EntsError } from "../errors.ts";
import type { Envelope } from "../series/envelope.ts";
import { orderTimeSeries } from "../series/order.ts";
import { readTimeSeries, type TimeSeries } from "../series/time-series.ts";
import type { Output } from "./output.ts";

/** @throws {EntsError} refused: a format of rows, and TimeSeries whose shape is not known. */
export function* encodeAnswer(envelope: Envelope, { metrics }: Query, output: Output): Generator<string> {
  const { format, shape, printStamp } = output;
  if (format.takes === "envelope") {
    const timeSeries = tryReadTimeSeries(envelope);
    yield* format.encode(envelope, timeSeries && orderTimeSeries(timeSeries, metrics), printStamp);
  } else {
    const toTable = shape === "wide" ? toWideTable : toLongTable;
    yield* encodeTable(toTable(readTimeSeries(envelope), { metrics, printStamp }), output);
  }
}

/** Rows of any kind, by the output's format. */
export function* encodeTable(table: Table, { format, formatOptions }: Output): Generator<string> {
  if (format.takes === "envelope") {
    yield* format.encodeValue(toRecords(table));
    return;
  }
  const encoder = format.open(table.columns, formatOptions);
  yield encoder.head();
  yield* encoder.body(table.rows);
  yield* encoder.tail();
}

function tryReadTimeSeries(envelope: Envelope): TimeSeries[] | undefined {
  try {
    return readTimeSeries(envelope);
  } catch (error) {
    if (error instanceof EntsError) return undefined;
    throw error;
  }
}
