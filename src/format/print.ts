import type { Table } from "../series/layout/table.ts";
import { toRecords } from "./cells.ts";
import type { Format, FormatOptions } from "./format.ts";
import { FORMATS, type FormatName } from "./registry.ts";

const DEFAULTS: FormatOptions = { header: true, limit: 0, width: undefined, colors: false, terminal: false };

/** Rows as text, in pieces. json writes an array of objects: the service's envelope is no table. */
export async function* printTable(table: Table, name: FormatName, options: Partial<FormatOptions> = {}): AsyncGenerator<string> {
  yield* printWith(await FORMATS[name].load(), table, { ...DEFAULTS, ...options });
}

/** The same with a format that is loaded. */
export function* printWith(format: Format, table: Table, options: FormatOptions): Generator<string> {
  if (format.takes === "envelope") {
    yield* format.encodeValue(toRecords(table));
    return;
  }
  const encoder = format.open(table.columns, options);
  yield encoder.head();
  yield* encoder.body(table.rows);
  yield* encoder.tail();
}
