import type { Table } from "../rows/table.ts";
import { toRecords } from "./cells.ts";
import type { FormatOptions } from "./format.ts";
import { FORMATS, type FormatName } from "./registry.ts";

const DEFAULTS: FormatOptions = { header: true, limit: 0, width: undefined, colors: false, terminal: false };

/** Rows as text, in pieces. json writes an array of objects: the service's envelope is no table. */
export function* printTable(table: Table, name: FormatName, options: Partial<FormatOptions> = {}): Generator<string> {
  const format = FORMATS[name];
  if (format.takes === "envelope") {
    yield* format.encodeValue(toRecords(table));
    return;
  }
  const encoder = format.open(table.columns, { ...DEFAULTS, ...options });
  yield encoder.head();
  yield* encoder.body(table.rows);
  yield* encoder.tail();
}
