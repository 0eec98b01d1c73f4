/** The interface of output formats. To add one, add a file here and a line in the registry. */
import type { OutputStream } from "../base/context.ts";
import type { FormatValues } from "./flags.ts";
import type { Column, Row, Shape } from "../series/layout/table.ts";
import type { PlacedSeries } from "../series/layout/layout.ts";
import type { Chunk } from "../series/merge.ts";
import type { StampPrinter } from "../time/zones.ts";

export interface Format {
  /** The default shape of its rows. */
  readonly shape: Shape;
  /** True if it needs the whole result in one batch, false if it streams. */
  readonly collects: boolean;
  open(header: Header, options: FormatOptions): Encoder;
}

export interface Header {
  readonly columns: readonly Column[];
  readonly printStamp: StampPrinter;
}

/** Encodes an output in parts. A part is valid until the next one is requested: its memory may be reused. */
export interface Encoder {
  write(batch: Batch): Parts;
  /** The output after the last batch. */
  end(): Parts;
}

export type Parts = Iterable<Encoded> | AsyncIterable<Encoded>;

export type Encoded = string | Uint8Array;

/** Rows of the header's columns, in canonical order. */
export interface Batch {
  /** With timestamps as the header prints them. @throws {EntsError} refused: series of an unknown shape, or missing rows. */
  rows(): Iterable<Row>;
  /** The series of the rows, for a format that copies bytes or needs instants; undefined for a table without series. */
  readonly placed?: readonly PlacedSeries[];
  /** The merged series of the rows, and the envelopes of their answers. */
  readonly chunk?: Chunk;
}

/** The flags of formats but `shape`, which the layout has, and the terminal that shows the output. */
export interface FormatOptions extends Omit<FormatValues, "shape"> {
  readonly screen: Screen;
}

/** The terminal that shows an output, if any. */
export type Screen = Omit<OutputStream, "stream" | "isPipe">;

/** A file or a pipe. */
export const NO_SCREEN: Screen = { isTerminal: false, columns: undefined, rows: undefined, colors: false };

/** Characters. */
const PART_LENGTH = 64 * 1024;

/** Joins small texts into parts that are efficient to write. */
export function* joinTexts(texts: Iterable<string>): Generator<string> {
  let part = "";
  for (const text of texts) {
    part += text;
    if (part.length < PART_LENGTH) continue;
    yield part;
    part = "";
  }
  if (part !== "") yield part;
}
