/** The interface of output formats. To add one, add a file here and a line in the registry. */
import type { OutputStream } from "../base/context.ts";
import type { FormatValues } from "./flags.ts";
import type { Column, Join, LayoutOptions, PlacedSeries, Row, Shape } from "../series/layout/layout.ts";
import type { TimedRow } from "../series/layout/rows.ts";
import type { Chunk } from "../series/merge.ts";
import type { Query } from "../query/query.ts";
import type { StampPrinter } from "../time/stamp-printer.ts";
import type { Zone } from "../time/zone.ts";
import { type ColumnType, typeColumn, type TypedColumn } from "./columnar/columns.ts";

export interface Format {
  /** The default shape of its rows. */
  readonly shape: Shape;
  /** True if it needs the whole result in one batch, false if it streams. */
  readonly collects: boolean;
  /** True if columns have types, so that a label whose values are no longer booleans alone changes the columns. */
  readonly typed?: boolean;
  /** The types of its columns, for a Data Package beside the output; undefined for what its readers do not read, such as a picture. */
  readonly describe?: (columns: readonly Column[], options: Pick<FormatOptions, "timeFormat">) => readonly Field[];
  open(header: Header, options: FormatOptions): Encoder;
}

export interface Header {
  readonly columns: readonly Column[];
  readonly printStamp: StampPrinter;
  /** The time zone of the output. */
  readonly zone: Zone;
  /** Where the data come from; undefined for a table without series, and for users of the library. */
  readonly provenance?: Provenance | undefined;
  /** The columns that are no labels, for a format that shows series by their labels. */
  readonly join?: Join | undefined;
}

/** Where the data of an output come from. */
export interface Provenance {
  /** The version of ents. */
  readonly version: string;
  /** The command line, without a token. */
  readonly command: string;
  /** The base address, or that of the sandbox in words. */
  readonly service: string;
  /** Whether the data are invented: those of the sandbox. */
  readonly isSynthetic: boolean;
  readonly query: Query;
}

/** Encodes an output in parts. A part is valid until the next one is requested: its memory may be reused. Empty ones give signals time. */
export interface Encoder {
  write(batch: Batch): EncodedParts;
  /** The output after the last batch. */
  end(): EncodedParts;
}

export type EncodedParts = Iterable<Encoded> | AsyncIterable<Encoded>;

export type Encoded = string | Uint8Array;

/** Rows of the header's columns, in canonical order. */
export interface Batch {
  /** With timestamps as the header prints them. @throws {EntsError} refused: series of an unknown shape, or missing rows. */
  rows(): Iterable<Row>;
  /** The rows with instants in place of timestamps, for a format that has a type for them; undefined for a table without series. */
  timedRows?(): Iterable<TimedRow>;
  /** The series of the rows, for a format that copies bytes or needs instants; undefined for a table without series. */
  readonly placed?: readonly PlacedSeries[];
  /** To be called with the number of rows by a format that does not walk them; undefined where each is a point. */
  readonly onRows?: ((rows: number) => void) | undefined;
  /** The merged series of the rows, and the envelopes of their answers. */
  readonly chunk?: Chunk;
  /** The series with one column for each value of a label; undefined for a table without series. */
  pivot?(label: string): LaidSeries;
}

/** Columns, and the places of series in them. */
export interface LaidSeries {
  readonly columns: readonly Column[];
  readonly placed: readonly PlacedSeries[];
}

/** The flags of formats, and the terminal that shows the output. Without shape and pivot, a format may choose a layout that shows better. */
export interface FormatOptions extends Omit<FormatValues, "intervalEnd"> {
  readonly intervalEnd?: boolean | undefined;
  readonly screen: OutputScreen;
  /** The lines of the screen that messages have taken, to be left in sight; by default none. */
  readonly linesAbove?: (() => number) | undefined;
}

/** How rows are laid out: as the flags ask, else as the format has it. */
export function chooseLayout({ shape, pivot, intervalEnd }: Omit<FormatOptions, "screen">, format: Pick<Format, "shape">): LayoutOptions {
  return { shape: shape ?? (pivot === undefined ? format.shape : "wide"), pivot, intervalEnd };
}

/** The terminal that shows an output, if any. */
export type OutputScreen = Omit<OutputStream, "stream" | "isPipe" | "hasReader">;

/** A file or a pipe. */
export const NO_SCREEN: OutputScreen = {
  isTerminal: false,
  columns: undefined,
  rows: undefined,
  colors: false,
  colorDepth: 1,
  unicode: true,
};

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

/** A column of a file: typed, or text that stands for a type. */
export interface Field extends Pick<TypedColumn, "name" | "unit" | "metric"> {
  /** `epoch`: numbers since 1970. */
  readonly type: ColumnType | "epoch";
  /** How timestamps are spelled, in the words of Data Package; by default ISO 8601. */
  readonly format?: string | undefined;
}

/** `timeFormat`: how timestamps are written. */
export function describeTexts(columns: readonly Column[], timeFormat: FormatValues["timeFormat"] = "iso"): readonly Field[] {
  const stamp = describeStamp(timeFormat);
  return columns.map((column) => (column.kind === "stamp" ? { name: column.name, ...stamp } : typeColumn(column)));
}

function describeStamp(format: NonNullable<FormatValues["timeFormat"]>): Pick<Field, "type" | "format"> {
  if (format === "iso") return { type: "instant" };
  return format === "local" ? { type: "wall-clock", format: "%Y-%m-%d %H:%M:%S" } : { type: "epoch" };
}
