import type { PlacedSeries } from "../series/layout/layout.ts";
import { type Cells, type RowSink, RowWalker, WalkedSeries } from "../series/layout/row-walker.ts";
import { timestampAt } from "../series/point-operations.ts";
import type { ScannedColumns } from "../series/points.ts";
import { ByteChunk, put, type Text, encodeShort, viewBytes } from "./byte-chunk.ts";

/** The fixed text around the timestamps and values of a line. */
export interface LineFrame {
  readonly open: string;
  /** The texts before each edge of the interval that has a column. */
  readonly beforeEdges: readonly string[];
  /** Text between the timestamps and the first value. */
  readonly constants: (series: PlacedSeries) => string;
  readonly beforeValues: readonly string[];
  readonly nullText: string;
  readonly close: string;
}

/** A series whose points are bytes. */
export class LineSeries extends WalkedSeries {
  /** The text between the timestamps and the first value. */
  readonly constants: Text;
  /** Has at least three bytes after any value, so that copies in whole words stay inside. */
  readonly body: DataView;
  readonly starts: ScannedColumns["starts"];
  readonly gaps: ScannedColumns["gaps"];
  readonly lengths: ScannedColumns["lengths"];
  readonly timestampLength: number;

  constructor(
    placed: PlacedSeries,
    { starts, gaps, lengths, timestampLength }: ScannedColumns,
    bytes: { constants: Text; body: DataView },
  ) {
    super(placed);
    this.constants = bytes.constants;
    this.body = bytes.body;
    this.starts = starts;
    this.gaps = gaps;
    this.lengths = lengths;
    this.timestampLength = timestampLength;
  }
}

const CHUNK_BYTES = 256 * 1024;
/** Maximum bytes of a timestamp or a value: `ScannedColumns` stores the length in one byte. */
const MAX_CELL_BYTES = 255;

export class LineWriter implements RowSink<LineSeries> {
  readonly #walker: RowWalker<LineSeries>;
  readonly #open: Text;
  readonly #beforeValues: readonly Text[];
  readonly #nullText: Text;
  readonly #close: Text;
  readonly #timestamps: TimestampWriter;
  readonly #copiesTimestamps: boolean;
  readonly #chunk = new ByteChunk(CHUNK_BYTES);
  readonly #maxLength: number;

  constructor(
    series: readonly LineSeries[],
    { open, beforeValues, nullText, close }: LineFrame,
    style: TimestampStyle,
  ) {
    this.#walker = new RowWalker(series, 1 + beforeValues.length);
    this.#timestamps = new TimestampWriter(style);
    this.#copiesTimestamps = style.print === undefined;
    this.#open = encodeShort(open);
    this.#beforeValues = beforeValues.map(encodeShort);
    this.#nullText = encodeShort(nullText);
    this.#close = encodeShort(close);
    const fixed = [this.#open, this.#close, ...this.#beforeValues].reduce((sum, { length }) => sum + length, 0);
    const constants = series.reduce((longest, lines) => Math.max(longest, lines.constants.length), 0);
    const values = (1 + beforeValues.length) * Math.max(MAX_CELL_BYTES, this.#nullText.length);
    this.#maxLength = MAX_STAMPS_BYTES + fixed + constants + values;
  }

  get lines(): number {
    return this.#walker.rows;
  }

  /** True if even the longest line fits in a chunk. */
  get fits(): boolean {
    return this.#maxLength <= CHUNK_BYTES;
  }

  get isFull(): boolean {
    return this.#chunk.length + this.#maxLength > CHUNK_BYTES;
  }

  /** Writes all lines in chunks, each valid until the next is requested: the memory is reused. */
  *writeAll(): Generator<Uint8Array> {
    while (this.#walker.walk(this)) yield this.#chunk.take();
    yield this.#chunk.take();
  }

  write(first: LineSeries, cells: Cells<LineSeries>): void {
    if (this.#copiesTimestamps && cells.length === 1) return this.#writeCopied(first);
    const chunk = this.#chunk;
    chunk.append(this.#open);
    this.#timestamps.write(chunk, first);
    chunk.append(first.constants);
    for (let column = 0; column < cells.length; column++) {
      if (column > 0) chunk.append(this.#beforeValues[column - 1] as Text);
      this.#writeValue(cells[column]);
    }
    chunk.append(this.#close);
  }

  /** Writes the most frequent kind of line: one metric, timestamp as sent. Makes a large export a tenth faster. */
  #writeCopied({ body, constants, starts, gaps, lengths, timestampLength, next }: LineSeries): void {
    const chunk = this.#chunk;
    const { view } = chunk;
    const start = starts[next] as number;
    const length = lengths[next] as number;
    let at = put(view, chunk.length, this.#open.view, 0, this.#open.length);
    at = put(view, at, body, start, timestampLength);
    at = put(view, at, constants.view, 0, constants.length);
    if (length > 0) at = put(view, at, body, start + (gaps[next] as number), length);
    else at = put(view, at, this.#nullText.view, 0, this.#nullText.length);
    chunk.length = put(view, at, this.#close.view, 0, this.#close.length);
  }

  #writeValue(cell: LineSeries | undefined): void {
    if (!cell) return this.#chunk.append(this.#nullText);
    const { body, starts, gaps, lengths, next } = cell;
    const length = lengths[next] as number;
    if (length > 0) this.#chunk.copy(body, (starts[next] as number) + (gaps[next] as number), length);
    else this.#chunk.append(this.#nullText);
  }
}

export interface TimestampStyle {
  /** Prints the timestamps of a line, in Latin-1; undefined if the timestamp is copied. */
  readonly print: ((timestamp: string, instant: number) => string) | undefined;
  /** True if the output depends on how the service wrote the timestamp. */
  readonly asSent: boolean;
}

const MAX_STAMPS_BYTES = 256;

/** Writes the timestamps of lines: copied, or printed once per instant. */
class TimestampWriter {
  readonly #style: TimestampStyle;
  readonly #printed = Buffer.alloc(MAX_STAMPS_BYTES);
  readonly #view = viewBytes(this.#printed);
  #length = 0;
  #instant = Number.NaN;
  /** Where the printed timestamp was read from. */
  #body: DataView = this.#view;
  #start = 0;

  constructor(style: TimestampStyle) {
    this.#style = style;
  }

  write(chunk: ByteChunk, series: LineSeries): void {
    const { body, starts, timestampLength, placed, instants, next } = series;
    const { print } = this.#style;
    const start = starts[next] as number;
    if (!print) return chunk.copy(body, start, timestampLength);
    const instant = instants[next] as number;
    if (instant !== this.#instant || (this.#style.asSent && !this.#isSame(series, start))) {
      this.#length = this.#printed.write(print(timestampAt(placed.points, next), instant), "latin1");
      this.#instant = instant;
      this.#body = body;
      this.#start = start;
    }
    chunk.copy(this.#view, 0, this.#length);
  }

  #isSame({ body, timestampLength }: LineSeries, start: number): boolean {
    for (let index = 0; index < timestampLength; index++) {
      if (body.getUint8(start + index) !== this.#body.getUint8(this.#start + index)) return false;
    }
    // No length check needed: a longer timestamp differs at the quote that ends the printed one; a shorter one is
    // another instant.
    return true;
  }
}
