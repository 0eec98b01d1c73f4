/** Fast encoding of lines: copies the bytes of timestamps and numbers from the body. */
import type { PlacedSeries } from "../series/layout/layout.ts";
import { type PointCursor, Timeline } from "../series/layout/timeline.ts";
import { type ScannedColumns, ScannedPoints } from "../series/scanned-points.ts";
import { printAsSent, type StampPrinter } from "../time/zones.ts";

/** The text around the timestamp and the value of a line. */
export interface LineFrame {
  readonly open: string;
  readonly between: (series: PlacedSeries) => string;
  readonly nullText: string;
  readonly close: string;
}

const CHUNK_BYTES = 256 * 1024;
/** Maximum bytes of the text between a timestamp and its value: a line must fit in a chunk. */
const MAX_TEXT_BYTES = CHUNK_BYTES / 2;
/** Maximum bytes of a timestamp or a value: `ScannedColumns` has one byte for it. */
const MAX_CELL_BYTES = 255;
/** Maximum bytes of a printed timestamp. */
const MAX_STAMP_BYTES = 64;
/** Bytes are copied in words of 4; the next copy overwrites the excess of the last word. */
const WORD = 4;

/**
 * The lines of all points, by instant, then in the order of the series; undefined if some points are not in bytes, a line
 * is too long, or the series have not one network time (each instant is printed once).
 * A chunk is valid until the next one is requested: its memory is reused.
 */
export function copyPoints(series: readonly PlacedSeries[], frame: LineFrame, printStamp: StampPrinter): Iterable<Uint8Array> | undefined {
  const cursors: Cursor[] = [];
  for (const one of series) {
    if (one.points.instants.length === 0) continue;
    if (!(one.points instanceof ScannedPoints)) return undefined;
    const { bytes, ...columns } = one.points.columns;
    cursors.push({ ...columns, body: viewBytes(bytes), between: toText(frame.between(one)), next: 0 });
  }
  const nullLength = Buffer.byteLength(frame.nullText);
  if (cursors.some(({ between }) => between.length + nullLength > MAX_TEXT_BYTES)) return undefined;
  if (printStamp === printAsSent) return copyLines(new LineWriter(cursors, frame));
  const offsets = new Set(series.map(({ networkOffset }) => networkOffset));
  if (offsets.has(undefined) || offsets.size > 1) return undefined;
  const [networkOffset] = offsets;
  return copyLines(new LineWriter(cursors, frame, (instant) => printStamp("", instant, networkOffset)));
}

interface Cursor extends Omit<ScannedColumns, "bytes" | "instants">, PointCursor {
  /** Has at least three bytes after any value, so that copying whole words stays inside it. */
  readonly body: DataView;
  readonly between: Text;
}

/** Bytes with one extra word, so that copying whole words stays inside them. */
interface Text {
  readonly view: DataView;
  readonly length: number;
}

function toText(text: string): Text {
  const bytes = Buffer.from(text);
  return { view: viewBytes(Buffer.concat([bytes, Buffer.alloc(WORD)])), length: bytes.length };
}

function viewBytes({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function* copyLines(writer: LineWriter): Generator<Uint8Array> {
  while (writer.fill()) yield writer.take();
  yield writer.take();
}

class LineWriter {
  readonly #timeline: Timeline<Cursor>;
  readonly #frame: { readonly open: Text; readonly close: Text; readonly nullText: Text };
  readonly #print: ((instant: number) => string) | undefined;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  readonly #view = viewBytes(this.#chunk);
  #at = 0;
  /** The current instant, unless timestamps are copied. */
  readonly #stamp = Buffer.alloc(MAX_STAMP_BYTES + WORD);
  readonly #stampView = viewBytes(this.#stamp);
  #stampLength = 0;
  /** The index of the current cursor among those that are due. */
  #current = 0;

  /** `print`: undefined to copy timestamps as they are. */
  constructor(cursors: readonly Cursor[], { open, close, nullText }: LineFrame, print?: (instant: number) => string) {
    this.#timeline = new Timeline(cursors);
    this.#frame = { open: toText(open), close: toText(close), nullText: toText(nullText) };
    this.#print = print;
    this.#printInstant();
  }

  /** The bytes written since the last call. */
  take(): Uint8Array {
    const written = this.#chunk.subarray(0, this.#at);
    this.#at = 0;
    return written;
  }

  /** Writes until the chunk is full (true) or all points are written (false). */
  fill(): boolean {
    const timeline = this.#timeline;
    for (; timeline.instant !== Number.POSITIVE_INFINITY; timeline.advance(), this.#printInstant()) {
      const { instant, due } = timeline;
      for (; this.#current < due.length; this.#current++) {
        const cursor = due[this.#current] as Cursor;
        while (cursor.instants[cursor.next] === instant) {
          if (!this.#hasRoom(cursor)) return true;
          this.#writeLine(cursor, cursor.next++);
        }
      }
      this.#current = 0;
    }
    return false;
  }

  #hasRoom({ between }: Cursor): boolean {
    const { open, close, nullText } = this.#frame;
    return this.#at + between.length + open.length + close.length + nullText.length + 2 * MAX_CELL_BYTES + WORD <= CHUNK_BYTES;
  }

  #writeLine({ body, starts, gaps, lengths, stampLength, between }: Cursor, index: number): void {
    const { open, close, nullText } = this.#frame;
    const start = starts[index] as number;
    const length = lengths[index] as number;
    this.#copy(open.view, 0, open.length);
    if (this.#print) this.#copy(this.#stampView, 0, this.#stampLength);
    else this.#copy(body, start, stampLength);
    this.#copy(between.view, 0, between.length);
    if (length === 0) this.#copy(nullText.view, 0, nullText.length);
    else this.#copy(body, start + (gaps[index] as number), length);
    this.#copy(close.view, 0, close.length);
  }

  #copy(source: DataView, from: number, length: number): void {
    const at = this.#at;
    for (let index = 0; index < length; index += WORD) this.#view.setInt32(at + index, source.getInt32(from + index, true), true);
    this.#at = at + length;
  }

  #printInstant(): void {
    const { instant } = this.#timeline;
    if (this.#print && instant !== Number.POSITIVE_INFINITY) this.#stampLength = this.#stamp.write(this.#print(instant), "latin1");
  }
}
