/** The interface of output formats. A new format is a file here and an entry in registry.ts (CONTRIBUTING.md). */
import type { OutputStream } from "../base/context.ts";
import type { FormatValues } from "./flags.ts";
import type { AnalysisFlag } from "./analysis-flags.ts";
import type {
  Column,
  Join,
  LayoutOptions,
  PlacedSeries,
  Row,
  RowKeys,
  RowLayout,
  Shape,
} from "../series/layout/layout.ts";
import type { UnitFacts } from "../series/fuels.ts";
import type { TimedRow } from "../series/layout/rows.ts";
import type { Chunk } from "../series/merge.ts";
import type { Query } from "../query/query.ts";
import type { PartialIntervals } from "../query/window.ts";
import type { TimestampPrinter, TimeFormat } from "../time/timestamp-printer.ts";
import type { Zone } from "../time/zone.ts";
import { type ColumnType, typeColumn, type TypedColumn } from "./columnar/columns.ts";

export interface Format {
  /** True if it needs the complete result in one batch, false if it streams. */
  readonly collects: boolean;
  /** True if it draws units by their fueltech, from `FormatOptions.units`. */
  readonly usesUnits?: boolean;
  /** True if columns have types. A label then changes its column when its values are no longer all booleans. */
  readonly typed?: boolean;
  /** True if it moves or colours text by control characters, and escapes those of the service itself. */
  readonly styled?: boolean;
  /**
   * Types of its columns, for a Data Package beside the output; undefined if the output is not data, such as a picture.
   */
  readonly describe?: (columns: readonly Column[], options: Pick<FormatOptions, "timeFormat">) => readonly Field[];
  open(header: Header, options: FormatOptions): Encoder;
}

export interface Header {
  readonly columns: readonly Column[];
  readonly printTimestamp: TimestampPrinter;
  readonly zone: Zone;
  /** The origin of the data; undefined for a table without series, and for library users. */
  readonly provenance?: Provenance | undefined;
  /** The columns that are not labels, for a format that shows series by their labels. */
  readonly join?: Join | undefined;
}

export interface Provenance {
  readonly version: string;
  /** The command line, without a token. */
  readonly command: string;
  /** The base address, or a description of the sandbox. */
  readonly service: string;
  /** True if the data are from the sandbox. */
  readonly isSynthetic: boolean;
  readonly query: Query;
  /** What the service says of the use of its data; undefined if it says nothing, or the plan in use is unknown. */
  readonly terms?: Terms | undefined;
  /** Of a past state of a kept output: when it was so, in milliseconds since 1970 UTC. */
  readonly asOf?: number | undefined;
}

interface Terms {
  /** In lower case. */
  readonly plan: string;
  /** As the service names it: `Non-commercial use`. */
  readonly license: string;
  /** Where it does. */
  readonly url: string;
}

/**
 * Encodes an output in parts. Each part is valid until the next is requested, as its memory may be reused. Empty parts
 * give signals time.
 */
export interface Encoder {
  write(batch: Batch): EncodedParts;
  end(): EncodedParts;
}

export type EncodedParts = Iterable<Encoded> | AsyncIterable<Encoded>;

export type Encoded = string | Uint8Array;

/** Rows of the header's columns, in canonical order. */
export interface Batch {
  /**
   * With timestamps as the header prints them. @throws {EntsError} refused: series of an unknown shape, or missing
   * rows.
   */
  rows(): Iterable<Row>;
  /**
   * Rows with instants instead of printed timestamps, for a format with a time type; undefined for a table without
   * series.
   */
  timedRows?(): Iterable<TimedRow>;
  /** The series of the rows, for a format that copies bytes or needs instants; undefined for a table without series. */
  readonly placed?: readonly PlacedSeries[];
  readonly keys?: RowKeys | undefined;
  /** A format that writes without `rows()` and `timedRows()` must report its number of rows, or points, here. */
  readonly onRows?: ((rows: number) => void) | undefined;
  readonly chunk?: Chunk;
  /**
   * Lays out the series, or those of one metric, with one column for each value of a label; undefined for a table
   * without series.
   */
  pivot?(label: string, metric?: string): LaidSeries;
}

export interface LaidSeries extends Pick<RowLayout, "columns" | "keys"> {
  readonly placed: readonly PlacedSeries[];
}

/**
 * Flags of formats, and the screen that shows the output. Without shape and pivot, a format may choose a better layout
 * itself.
 */
export interface FormatOptions extends Omit<FormatValues, "intervalEnd" | "rawNames" | AnalysisFlag> {
  readonly intervalEnd?: boolean | undefined;
  readonly rawNames?: boolean | undefined;
  readonly screen: OutputScreen;
  /** Number of screen lines taken by messages, to be kept visible; by default none. */
  readonly linesAbove?: (() => number) | undefined;
  /** True if the columns of a list that a screen is too narrow for stand below it, in a second table. */
  readonly foldsColumns?: boolean | undefined;
  /** For tables, which mark them. */
  readonly partial?: readonly PartialIntervals[] | undefined;
  /** For pictures and tables, if the list of units is available. */
  readonly units?: UnitFacts | undefined;
}

/** Chooses the layout of rows: from the flags, or else the format's default. */
export function chooseLayout(
  { shape, pivot, intervalEnd }: Omit<FormatOptions, "screen">,
  format: { readonly shape: Shape },
): LayoutOptions {
  return { shape: shape ?? (pivot === undefined ? format.shape : "wide"), pivot, intervalEnd };
}

export type OutputScreen = Omit<OutputStream, "stream" | "isPipe" | "hasReader">;

export const NO_SCREEN: OutputScreen = {
  isTerminal: false,
  columns: undefined,
  rows: undefined,
  colors: false,
  colorDepth: 1,
  unicode: true,
};

/** In characters. */
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

/** A column of a file: typed, or text that represents a type. */
export interface Field extends Pick<TypedColumn, "name" | "unit" | "metric"> {
  /** `epoch`: numbers since 1970. */
  readonly type: ColumnType | "epoch";
  /** What the file calls it, if not by its name. */
  readonly heading?: string;
  /** Timestamp format in Data Package terms; by default ISO 8601. */
  readonly format?: string | undefined;
}

/** Describes the columns of a format whose timestamps are text. */
export function describeTexts(
  columns: readonly Column[],
  { timeFormat = "iso" }: Pick<FormatOptions, "timeFormat">,
): readonly Field[] {
  const timestamp = STAMPS[timeFormat];
  return columns.map((column) =>
    column.kind === "timestamp" || column.isTimestamp ? { name: column.name, ...timestamp } : typeColumn(column),
  );
}

const STAMPS: Readonly<Record<TimeFormat, Pick<Field, "type" | "format">>> = {
  iso: { type: "instant" },
  local: { type: "wall-clock", format: "%Y-%m-%d %H:%M:%S" },
  unix: { type: "epoch" },
  "unix-ms": { type: "epoch" },
  name: { type: "text" },
};
