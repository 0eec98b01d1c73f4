/** What a program prints: merged series, or any table, in a format by its name. */
import { startColumns } from "../series/layout/columns.ts";
import type { Shape, Table } from "../series/layout/table.ts";
import type { Chunk } from "../series/merge.ts";
import { createStampPrinter } from "../time/zones.ts";
import { encodeChunks, encodeTable } from "./encode.ts";
import { type Encoded, type FormatOptions, NO_SCREEN } from "./format.ts";
import { FORMATS, type FormatName } from "./registry.ts";

const DEFAULTS: FormatOptions = { header: true, screen: NO_SCREEN };

export interface PrintOptions extends Partial<FormatOptions> {
  readonly format: FormatName;
  /** The metrics in the order that their columns or rows are to have: those of the query. */
  readonly metrics: readonly string[];
  /** Default: the format's own. */
  readonly shape?: Shape;
  /** `network` (default), `utc`, or an IANA zone. */
  readonly timeZone?: string;
}

/**
 * Merged series as the text of one output, in parts: one header, however many chunks.
 * @throws {EntsError} usage: no such zone; refused: TimeSeries of an unknown shape; {ColumnsChanged} a later chunk has a
 * column that the header, already given out, does not have.
 */
export async function* printSeries(chunks: AsyncIterable<Chunk>, options: PrintOptions): AsyncGenerator<Encoded> {
  const { format: name, metrics, timeZone = "network" } = options;
  const format = await FORMATS[name].load();
  const { shape = format.shape } = options;
  const formatOptions = { ...DEFAULTS, ...options };
  const encoding = { format, formatOptions, shape, printStamp: createStampPrinter(timeZone), columns: startColumns(metrics) };
  // Formats use the memory of a part again; whoever is given one here may keep it.
  for await (const part of encodeChunks(chunks, encoding)) yield typeof part === "string" ? part : Uint8Array.from(part);
}

/** Rows of any kind as text; json writes an array of objects. */
export async function* printTable(table: Table, name: FormatName, options: Partial<FormatOptions> = {}): AsyncGenerator<Encoded> {
  yield* encodeTable(table, await FORMATS[name].load(), { ...DEFAULTS, ...options });
}
