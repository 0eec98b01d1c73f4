import { Timeline } from "../series/layout/timeline.ts";
import { ByteChunk, put, type Text, toText } from "./byte-chunk.ts";
import { type ByteCursor, MAX_STAMPS_BYTES, type StampStyle, StampWriter } from "./stamp-writer.ts";

export interface RowCursor extends ByteCursor {
  readonly row: SharedRow;
  readonly column: SharedColumn;
  /** Its place among the series of the column. */
  readonly index: number;
}

/** The series that share rows. */
export interface SharedRow {
  /** The text between the timestamps and the first value. */
  readonly constants: Text;
  readonly columns: readonly SharedColumn[];
}

/** The series of a value column in shared rows: one, unless the service names several alike. */
export interface SharedColumn {
  readonly cursors: RowCursor[];
  /** No cursor before `from` has another point at `instant`: they are not looked at again. */
  instant: number;
  from: number;
}

export interface LineText {
  readonly open: string;
  /** Before each value but the first. */
  readonly beforeValues: readonly string[];
  readonly nullText: string;
  readonly close: string;
}

const CHUNK_BYTES = 256 * 1024;
/** Maximum bytes of a timestamp or a value: `ScannedColumns` has one byte for it. */
const MAX_CELL_BYTES = 255;

/** Writes the lines of cursors into chunks of bytes. */
export class LineWriter {
  lines = 0;
  readonly #timeline: Timeline<RowCursor>;
  readonly #text: { readonly open: Text; readonly beforeValues: readonly Text[]; readonly nullText: Text; readonly close: Text };
  readonly #stamps: StampWriter;
  readonly #copiesStamps: boolean;
  readonly #chunk = new ByteChunk(CHUNK_BYTES);
  readonly #maxLength: number;
  /** The index of the current cursor among those that are due. */
  #current = 0;

  constructor(cursors: readonly RowCursor[], { open, beforeValues, nullText, close }: LineText, style: StampStyle) {
    this.#timeline = new Timeline(cursors);
    this.#stamps = new StampWriter(style);
    this.#copiesStamps = style.print === undefined;
    const text = { open: toText(open), beforeValues: beforeValues.map(toText), nullText: toText(nullText), close: toText(close) };
    this.#text = text;
    const fixed = [text.open, text.close, ...text.beforeValues].reduce((sum, { length }) => sum + length, 0);
    const constants = cursors.reduce((longest, { row }) => Math.max(longest, row.constants.length), 0);
    const values = (1 + beforeValues.length) * Math.max(MAX_CELL_BYTES, text.nullText.length);
    this.#maxLength = MAX_STAMPS_BYTES + fixed + constants + values;
  }

  /** Whether any line fits in a chunk. */
  get fits(): boolean {
    return this.#maxLength <= CHUNK_BYTES;
  }

  /** The bytes written since the last call; valid until the next write. */
  take(): Uint8Array {
    return this.#chunk.take();
  }

  /** Writes until the chunk is full (true) or all points are written (false). */
  fill(): boolean {
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

  /** A point of each column, where it has one at the instant; `cursor` is the first of its row that has. */
  #writeLine(cursor: RowCursor, instant: number): void {
    this.lines++;
    const { row } = cursor;
    if (this.#copiesStamps && row.columns.length === 1) return this.#writeCopied(cursor, row.constants);
    const chunk = this.#chunk;
    const { open, close } = this.#text;
    chunk.append(open);
    this.#stamps.write(chunk, cursor);
    chunk.append(row.constants);
    this.#writeShared(cursor, instant);
    chunk.append(close);
  }

  /** The most frequent line: no other metric shares it, and its timestamp is as sent. A large export takes a tenth less so. */
  #writeCopied(cursor: RowCursor, constants: Text): void {
    const { body, starts, gaps, lengths, stampLength, next } = cursor;
    const { open, close, nullText } = this.#text;
    const chunk = this.#chunk;
    const { view } = chunk;
    const start = starts[next] as number;
    const length = lengths[next] as number;
    let at = put(view, chunk.length, open.view, 0, open.length);
    at = put(view, at, body, start, stampLength);
    at = put(view, at, constants.view, 0, constants.length);
    if (length > 0) at = put(view, at, body, start + (gaps[next] as number), length);
    else at = put(view, at, nullText.view, 0, nullText.length);
    chunk.length = put(view, at, close.view, 0, close.length);
    cursor.next = next + 1;
  }

  #writeShared({ row: { columns }, column: own, index }: RowCursor, instant: number): void {
    const { beforeValues } = this.#text;
    startAt(own, instant, index);
    for (let column = 0; column < columns.length; column++) {
      if (column > 0) this.#chunk.append(beforeValues[column - 1] as Text);
      this.#writeValue(columns[column] as SharedColumn, instant);
    }
  }

  #writeValue(column: SharedColumn, instant: number): void {
    startAt(column, instant, 0);
    for (; column.from < column.cursors.length; column.from++) {
      const cursor = column.cursors[column.from] as RowCursor;
      if (cursor.instants[cursor.next] === instant) return this.#writeNext(cursor);
    }
    this.#chunk.append(this.#text.nullText);
  }

  #writeNext(cursor: RowCursor): void {
    const { body, starts, gaps, lengths, next } = cursor;
    cursor.next = next + 1;
    const length = lengths[next] as number;
    if (length > 0) this.#chunk.copy(body, (starts[next] as number) + (gaps[next] as number), length);
    else this.#chunk.append(this.#text.nullText);
  }
}

function startAt(column: SharedColumn, instant: number, index: number): void {
  if (column.instant === instant) return;
  column.instant = instant;
  column.from = index;
}
