/** The one seam of output formats. A format is a file beside this one, and its line in the registry. */
import type { OutputStream } from "../base/context.ts";
import type { Column, Row, Shape, StampPrinter } from "../series/layout/table.ts";
import type { PlacedSeries } from "../series/layout/layout.ts";
import type { Chunk } from "../series/merge.ts";

export interface Format {
  /** The shape of its rows unless told otherwise. */
  readonly shape: Shape;
  /** Whether it needs the whole result in one batch; one that does not writes batches as they come. */
  readonly collects: boolean;
  open(header: Header, options: FormatOptions): Encoder;
}

/** What is the same for all batches. */
export interface Header {
  readonly columns: readonly Column[];
  readonly printStamp: StampPrinter;
}

/** Makes an output, in parts that are good until the next is asked for: their memory may be used again. */
export interface Encoder {
  write(batch: Batch): Parts;
  /** What follows the last batch; all of an output that has none. */
  end(): Parts;
}

export type Parts = Iterable<Encoded> | AsyncIterable<Encoded>;

export type Encoded = string | Uint8Array;

/** Rows under the header's columns, in canonical order. Rows can be walked once. */
export interface Batch {
  readonly rows: Iterable<Row>;
  /** The series behind the rows, for a format that copies bytes or wants instants and numbers; none behind a list. */
  readonly placed?: readonly PlacedSeries[];
  /** The answers and merged series behind them. */
  readonly chunk?: Chunk;
}

/** What a format may be told: the values of its flags, and who looks at the output. */
export interface FormatOptions {
  /** csv, tsv: whether the first line names the columns. */
  readonly header: boolean;
  /** table: most rows to show, 0 is all; undefined leaves it to the table. */
  readonly limit?: number | undefined;
  readonly screen: Screen;
}

/** The terminal that shows an output, if one does. */
export type Screen = Omit<OutputStream, "stream">;

/** A file or a pipe. */
export const NO_SCREEN: Screen = { isTerminal: false, columns: undefined, rows: undefined, colors: false };

/** Parts of about this many characters: large enough to write, small enough to hold. */
const TEXT_LENGTH = 64 * 1024;

/** Joins small texts into larger ones. */
export function* joinTexts(texts: Iterable<string>): Generator<string> {
  let part = "";
  for (const text of texts) {
    part += text;
    if (part.length < TEXT_LENGTH) continue;
    yield part;
    part = "";
  }
  if (part !== "") yield part;
}
