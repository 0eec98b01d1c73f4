/** For library users: prints merged series or a table in a format by name. */
import { usageError } from "../base/errors.ts";
import type { Interval } from "../base/intervals.ts";
import { startColumns } from "../series/layout/columns.ts";
import type { Shape, Table } from "../series/layout/layout.ts";
import type { Chunk } from "../series/merge.ts";
import { createZonedPrinter } from "../time/timestamp-printer.ts";
import { openZone } from "../time/open-zone.ts";
import { encodeChunks, encodeTable } from "./encode.ts";
import { chooseLayout, type Encoded, type FormatOptions, NO_SCREEN } from "./format.ts";
import { describeFormat, FORMATS, type FormatName, refuseList } from "./registry.ts";

const DEFAULTS: FormatOptions = { header: true, screen: NO_SCREEN };

/** Options that the format does not support are ignored. */
export interface PrintOptions extends Partial<Omit<FormatOptions, "with">> {
  readonly format: FormatName;
  /** Metrics of the query, in the order of their columns or rows. */
  readonly metrics: readonly string[];
  /** By default the format's shape; wide with `pivot`. */
  readonly shape?: Shape;
  /** A label to pivot by: the wide shape, with one column for each of its values. */
  readonly pivot?: string;
  /** Adds a column `interval_end` after the timestamp. */
  readonly intervalEnd?: boolean;
  /** Interval of series that name none, for `intervalEnd`; and that of the names that `timeFormat: "name"` prints. */
  readonly interval?: Interval;
  /** `network` (default), `utc`, or an IANA zone. */
  readonly timeZone?: string;
}

/**
 * Prints merged series as one output with one header, in parts.
 * @throws {EntsError} usage: unknown zone, or a pivot of the long shape; refused: TimeSeries of an unknown shape;
 * {ColumnsChanged} a later chunk has a column that the header, already printed, lacks.
 */
export async function* printSeries(chunks: AsyncIterable<Chunk>, options: PrintOptions): AsyncGenerator<Encoded> {
  const { format: name, metrics, interval, timeZone = "network" } = options;
  const timeFormat = "timeFormat" in FORMATS[name].flags ? options.timeFormat : undefined;
  const format = await FORMATS[name].load();
  const formatOptions = { ...DEFAULTS, ...options };
  const { pivot, shape } = formatOptions;
  if (pivot !== undefined && shape === "long")
    throw usageError("pivot cannot be used with shape long", "use one of them");
  const zone = await openZone(timeZone);
  const encoding = {
    format,
    formatOptions,
    layout: chooseLayout(formatOptions, FORMATS[name]),
    printTimestamp: createZonedPrinter(zone, timeFormat, interval),
    zone,
    columns: startColumns(metrics, { interval, pivot }),
  };
  // Formats reuse the memory of a part; the caller gets a copy to keep.
  for await (const part of encodeChunks(chunks, encoding))
    yield typeof part === "string" ? part : Uint8Array.from(part);
}

/** Prints any table; json is an array of objects. @throws {EntsError} usage: a picture. */
export async function* printTable(
  table: Table,
  name: FormatName,
  options: Partial<FormatOptions> = {},
): AsyncGenerator<Encoded> {
  if (describeFormat(name).seriesOnly) throw refuseList(name);
  yield* encodeTable(table, await FORMATS[name].load(), { ...DEFAULTS, ...options });
}
