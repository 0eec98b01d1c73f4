/** json: the service's envelope, indented, one line per point; of rows that are no points, an array of objects. */
import { type Json, type JsonObject, toJsonText } from "../base/json.ts";
import { joinEnvelopes } from "../series/decoded-response.ts";
import { RUN_FIELD, splitItemByRun } from "../series/forecast-runs.ts";
import { type Chunk, countItems } from "../series/merge.ts";
import { DATE_RANGE, type Series, type TimeSeries } from "../series/time-series.ts";
import { timestampAt, valueAt } from "../series/point-operations.ts";
import { findOffset, parseTimestamp } from "../time/timestamp.ts";
import type { TimestampPrinter } from "../time/timestamp-printer.ts";
import { toRecords } from "./cells.ts";
import type { Column } from "../series/layout/layout.ts";
import { type Batch, type Format, joinTexts } from "./format.ts";

export const json: Format = {
  collects: true,
  open: ({ columns, printTimestamp }) => ({
    write: (batch) => {
      if (!batch.chunk || isOfRows(batch, columns)) return [encodeJson(toRecords({ columns, rows: batch.rows() }))];
      batch.onRows?.(countItems(batch.chunk));
      return joinTexts(encodeEnvelope(batch.chunk, printTimestamp));
    },
    end: () => [],
  }),
};

/** True for rows that an analysis makes, or with several values. */
function isOfRows({ chunk, keys }: Batch, columns: readonly Column[]): boolean {
  return Boolean(keys ?? chunk?.analysis?.table) || columns.filter(({ kind }) => kind === "value").length > 1;
}

export function encodeJson(value: Json): string {
  return `${toJsonText(value, 2)}\n`;
}

/** TimeSeries of an unknown shape are written unchanged. */
function* encodeEnvelope({ heads, timeSeries, unknown }: Chunk, printTimestamp: TimestampPrinter): Generator<string> {
  yield* encodeObject(joinEnvelopes(heads), "", (key, indent) => {
    if (key !== "data") return undefined;
    return unknown
      ? [toJsonText(unknown.data)]
      : encodeList(timeSeries.flatMap(splitItemByRun), indent, (item, inner) =>
          encodeItem(item, inner, printTimestamp),
        );
  });
  yield "\n";
}

function encodeItem(item: TimeSeries, indent: string, printTimestamp: TimestampPrinter): Iterable<string> {
  const offset = findOffset(item.network, item.fields["network_timezone_offset"]) ?? "Z";
  const encodeSeries = ({ fields, points }: Series, place: string) =>
    encodeObject(printDateRange(fields, offset, printTimestamp), place, (key, inner) => {
      if (key !== "data") return undefined;
      return encodeList(points.instants.keys(), inner, (index) => {
        const timestamp = printTimestamp(timestampAt(points, index), points.instants[index] as number);
        return [`["${timestamp}", ${valueAt(points, index) ?? "null"}]`];
      });
    });
  return encodeObject(printDateRange(item.fields, offset, printTimestamp), indent, (key, inner) =>
    key === "results" ? encodeList(item.series, inner, encodeSeries) : undefined,
  );
}

/** Prints start, end and the run in the same time zone as the points. */
function printDateRange(fields: JsonObject, offset: string, printTimestamp: TimestampPrinter): JsonObject {
  const printed: Record<string, Json> = { ...fields };
  for (const key of [...DATE_RANGE, RUN_FIELD]) {
    const timestamp = printed[key];
    const instant = typeof timestamp === "string" ? parseTimestamp(timestamp, offset) : undefined;
    if (instant !== undefined) printed[key] = printTimestamp(timestamp as string, instant);
  }
  return printed;
}

/** Returns the text of a key's value; undefined to write it unchanged. */
type FieldEncoder = (key: string, indent: string) => Iterable<string> | undefined;

function* encodeObject(fields: JsonObject, indent: string, encodeField: FieldEncoder): Generator<string> {
  const inner = `${indent}  `;
  let separator = "{\n";
  for (const [key, value] of Object.entries(fields)) {
    yield `${separator}${inner}${toJsonText(key)}: `;
    yield* encodeField(key, inner) ?? [toJsonText(value)];
    separator = ",\n";
  }
  yield separator === "{\n" ? "{}" : `\n${indent}}`;
}

function* encodeList<T>(
  items: Iterable<T>,
  indent: string,
  encode: (item: T, indent: string) => Iterable<string>,
): Generator<string> {
  const inner = `${indent}  `;
  let separator = "[\n";
  for (const item of items) {
    yield separator + inner;
    yield* encode(item, inner);
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]" : `\n${indent}]`;
}
