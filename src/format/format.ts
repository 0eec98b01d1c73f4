import type { LongSeries } from "../series/layout/long.ts";
import type { Column, Row, Shape, StampPrinter } from "../series/layout/table.ts";
import type { Envelope } from "../decode/envelope.ts";
import type { Json } from "../base/json.ts";
import type { TimeSeries } from "../series/time-series.ts";

/** What a format may be told; each heeds what concerns it. */
export interface FormatOptions {
  /** csv, tsv: whether the first line names the columns. */
  readonly header: boolean;
  /** table: most rows to show; 0 is all. */
  readonly limit: number;
  /** table: cells that a line may take; undefined for no bound. */
  readonly width: number | undefined;
  /** table: whether to colour. */
  readonly colors: boolean;
  /** csv, tsv: whether a terminal reads, to which control characters must not go raw. */
  readonly terminal: boolean;
}

/** Text in pieces, made as rows come: `head`, then `body` for each batch of rows, then `tail`. */
export interface RowEncoder {
  head(): string;
  body(rows: Iterable<Row>): Iterable<string>;
  /** What `body` makes of the rows of these series, straight from their points; undefined where that cannot be. */
  points?(series: readonly LongSeries[], printStamp: StampPrinter): Iterable<Uint8Array> | undefined;
  tail(): Iterable<string>;
}

/** A format whose output is made of rows. */
export interface RowFormat {
  readonly takes: "rows";
  readonly shape: Shape;
  /** Whether it writes rows as they come; one that does not holds them all. */
  readonly streams: boolean;
  open(columns: readonly Column[], options: FormatOptions): RowEncoder;
}

/** A format whose output is the service's envelope. */
export interface EnvelopeFormat {
  readonly takes: "envelope";
  /** `timeSeries` in canonical order, or undefined where their shape is not known: then they are written as they came. */
  encode(envelope: Envelope, timeSeries: readonly TimeSeries[] | undefined, printStamp: StampPrinter): Iterable<string>;
  /** Anything that is no envelope, such as the list of metrics. */
  encodeValue(value: Json): Iterable<string>;
}

export type Format = RowFormat | EnvelopeFormat;

/** Text in pieces of about this many characters: large enough to write, small enough to hold. */
export const CHUNK_LENGTH = 64 * 1024;

/** Joins small texts into chunks. */
export function* joinChunks(texts: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}
