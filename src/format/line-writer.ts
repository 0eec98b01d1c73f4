import type { PlacedSeries } from "../series/layout/layout.ts";
import { type PointCursor, Timeline } from "../series/layout/timeline.ts";
import type { ScannedColumns, ScannedPoints } from "../series/points.ts";
import { ByteChunk, put, type Text, toText, viewBytes } from "./byte-chunk.ts";

/** The fixed text around the timestamps and values of a line. */
export interface LineFrame {
  readonly open: string;
  /** Text between the timestamp and `interval_end`; undefined without that column. */
  readonly beforeEnd: string | undefined;
  /** Text between the timestamps and the first value. */
  readonly constants: (series: PlacedSeries) => string;
  readonly beforeValues: readonly string[];
  readonly nullText: string;
  readonly close: string;
}

export interface RowCursor extends Omit<ScannedColumns, "body" | "instants">, PointCursor {
  readonly points: ScannedPoints;
  /** Has at least three bytes after any value, so that copies in whole words stay inside. */
  readonly body: DataView;
  readonly row: SharedRow;
  readonly column: SharedColumn;
  /** Index among the column's series. */
  readonly index: number;
}

export interface SharedRow {
  /** The text between the timestamps and the first value. */
  readonly constants: Text;
  readonly columns: readonly SharedColumn[];
}

/** The series of a value column in shared rows: one, unless the service sends several with the same labels. */
export interface SharedColumn {
  readonly cursors: RowCursor[];
  /** Cursors before `from` have no more points at `instant` and are skipped. */
  instant: number;
  from: number;
}

const CHUNK_BYTES = 256 * 1024;
/** Maximum bytes of a timestamp or a value: `ScannedColumns` stores the length in one byte. */
const MAX_CELL_BYTES = 255;

export class LineWriter {
  lines = 0;
  readonly #timeline: Timeline<RowCursor>;
  readonly #open: Text;
  readonly #beforeValues: readonly Text[];
  readonly #nullText: Text;
  readonly #close: Text;
  readonly #stamps: StampWriter;
  readonly #copiesStamps: boolean;
  readonly #chunk = new ByteChunk(CHUNK_BYTES);
  readonly #maxLength: number;
  /** Index of the current cursor among those that are due. */
  #current = 0;

  constructor(cursors: readonly RowCursor[], { open, beforeValues, nullText, close }: LineFrame, style: StampStyle) {
    this.#timeline = new Timeline(cursors);
    this.#stamps = new StampWriter(style);
    this.#copiesStamps = style.print === undefined;
    this.#open = toText(open);
    this.#beforeValues = beforeValues.map(toText);
    this.#nullText = toText(nullText);
    this.#close = toText(close);
    const fixed = [this.#open, this.#close, ...this.#beforeValues].reduce((sum, { length }) => sum + length, 0);
    const constants = cursors.reduce((longest, { row }) => Math.max(longest, row.constants.length), 0);
    const values = (1 + beforeValues.length) * Math.max(MAX_CELL_BYTES, this.#nullText.length);
    this.#maxLength = MAX_STAMPS_BYTES + fixed + constants + values;
  }

  /** True if even the longest line fits in a chunk. */
  get fits(): boolean {
    return this.#maxLength <= CHUNK_BYTES;
  }

  /** Writes all lines in chunks, each valid until the next is requested: the memory is reused. */
  *write(): Generator<Uint8Array> {
    while (this.#fill()) yield this.#chunk.take();
    yield this.#chunk.take();
  }

  /** Fills the chunk. Returns true if it is full, false if all points are written. */
  #fill(): boolean {
    const timeline = this.#timeline;
    for (; timeline.instant !== Number.POSITIVE_INFINITY; timeline.advance()) {
      const { instant, due } = timeline;
      for (; this.#current < due.length; this.#current++) {
        const cursor = due[this.#current] as RowCursor;
        while (cursor.instants[cursor.next] === instant) {
          if (this.#chunk.length + this.#maxLength > CHUNK_BYTES) return true;
          this.#writeLine(cursor, instant);
        }
      }
      this.#current = 0;
    }
    return false;
  }

  /** Writes the point of each column at the instant; `cursor` is the first of its row that has one. */
  #writeLine(cursor: RowCursor, instant: number): void {
    this.lines++;
    const { row } = cursor;
    if (this.#copiesStamps && row.columns.length === 1) return this.#writeCopied(cursor, row.constants);
    const chunk = this.#chunk;
    chunk.append(this.#open);
    this.#stamps.write(chunk, cursor);
    chunk.append(row.constants);
    this.#writeShared(cursor, instant);
    chunk.append(this.#close);
  }

  /** Writes the most frequent kind of line: one metric, timestamp as sent. Makes a large export a tenth faster. */
  #writeCopied(cursor: RowCursor, constants: Text): void {
    const { body, starts, gaps, lengths, stampLength, next } = cursor;
    const chunk = this.#chunk;
    const { view } = chunk;
    const start = starts[next] as number;
    const length = lengths[next] as number;
    let at = put(view, chunk.length, this.#open.view, 0, this.#open.length);
    at = put(view, at, body, start, stampLength);
    at = put(view, at, constants.view, 0, constants.length);
    if (length > 0) at = put(view, at, body, start + (gaps[next] as number), length);
    else at = put(view, at, this.#nullText.view, 0, this.#nullText.length);
    chunk.length = put(view, at, this.#close.view, 0, this.#close.length);
    cursor.next = next + 1;
  }

  #writeShared({ row: { columns }, column: own, index }: RowCursor, instant: number): void {
    startAt(own, instant, index);
    for (let column = 0; column < columns.length; column++) {
      if (column > 0) this.#chunk.append(this.#beforeValues[column - 1] as Text);
      this.#writeValue(columns[column] as SharedColumn, instant);
    }
  }

  #writeValue(column: SharedColumn, instant: number): void {
    startAt(column, instant, 0);
    for (; column.from < column.cursors.length; column.from++) {
      const cursor = column.cursors[column.from] as RowCursor;
      if (cursor.instants[cursor.next] === instant) return this.#writeNext(cursor);
    }
    this.#chunk.append(this.#nullText);
  }

  #writeNext(cursor: RowCursor): void {
    const { body, starts, gaps, lengths, next } = cursor;
    cursor.next = next + 1;
    const length = lengths[next] as number;
    if (length > 0) this.#chunk.copy(body, (starts[next] as number) + (gaps[next] as number), length);
    else this.#chunk.append(this.#nullText);
  }
}

function startAt(column: SharedColumn, instant: number, index: number): void {
  if (column.instant === instant) return;
  column.instant = instant;
  column.from = index;
}

export interface StampStyle {
  /** Prints the timestamps of a line, in Latin-1; undefined if the timestamp is copied. */
  readonly print: ((stamp: string, instant: number) => string) | undefined;
  /** True if the output depends on how the service wrote the timestamp. */
  readonly asSent: boolean;
}

const MAX_STAMPS_BYTES = 256;

/** Writes the timestamps of lines: copied, or printed once per instant. */
class StampWriter {
  readonly #style: StampStyle;
  readonly #printed = Buffer.alloc(MAX_STAMPS_BYTES);
  readonly #view = viewBytes(this.#printed);
  #length = 0;
  #instant = Number.NaN;
  /** Where the printed timestamp was read from. */
  #body: DataView = this.#view;
  #start = 0;

  constructor(style: StampStyle) {
    this.#style = style;
  }

  write(chunk: ByteChunk, cursor: RowCursor): void {
    const { body, starts, next, stampLength, points } = cursor;
    const { print } = this.#style;
    const start = starts[next] as number;
    if (!print) return chunk.copy(body, start, stampLength);
    const instant = cursor.instants[next] as number;
    if (instant !== this.#instant || (this.#style.asSent && !this.#isSame(cursor, start))) {
      this.#length = this.#printed.write(print(points.stampAt(next), instant), "latin1");
      this.#instant = instant;
      this.#body = body;
      this.#start = start;
    }
    chunk.copy(this.#view, 0, this.#length);
  }

  #isSame({ body, stampLength }: RowCursor, start: number): boolean {
    for (let index = 0; index < stampLength; index++) {
      if (body.getUint8(start + index) !== this.#body.getUint8(this.#start + index)) return false;
    }
    // No length check needed: a longer timestamp differs at the quote that ends the printed one; a shorter one is another instant.
    return true;
  }
}
