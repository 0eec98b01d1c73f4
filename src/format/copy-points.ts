/** The fast way from points to lines: timestamps and numbers are copied from the body's bytes, and never become values. */
import type { PlacedSeries } from "../series/layout/layout.ts";
import type { StampPrinter } from "../series/layout/table.ts";
import { type ScannedColumns, ScannedPoints } from "../series/scanned-points.ts";
import { printAsSent } from "../time/zones.ts";

/** What stands around the timestamp and the value of a line. */
export interface LineFrame {
  readonly open: string;
  readonly between: (series: PlacedSeries) => string;
  readonly nullText: string;
  readonly close: string;
}

const CHUNK_BYTES = 256 * 1024;
/** Most bytes of a timestamp or a value, which are counted in one byte. */
const MOST_CELL_BYTES = 255;
/** Bytes are copied in words; what a last word takes along is overwritten by what comes next. */
const WORD = 4;

/**
 * The lines of all points, ordered by instant and then as the series are; undefined when some points are not in bytes.
 * A chunk is good until the next is asked for: its memory is used again.
 */
export function copyPoints(series: readonly PlacedSeries[], frame: LineFrame, printStamp: StampPrinter): Iterable<Uint8Array> | undefined {
  const lanes: Lane[] = [];
  for (const one of series) {
    if (one.points.instants.length === 0) continue;
    if (!(one.points instanceof ScannedPoints)) return undefined;
    const { bytes, ...columns } = one.points.columns;
    lanes.push({ ...columns, body: viewBytes(bytes), between: toText(frame.between(one)), next: 0 });
  }
  return copyLanes(new LineWriter(lanes, frame, printStamp === printAsSent ? undefined : printStamp));
}

/** One series on its way into lines. */
interface Lane extends Omit<ScannedColumns, "bytes"> {
  /** After any value of it, a body has the three bytes at least that close it. */
  readonly body: DataView;
  readonly between: Text;
  next: number;
}

/** Bytes that may be read a word beyond their length. */
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

function* copyLanes(writer: LineWriter): Generator<Uint8Array> {
  while (writer.fill()) yield writer.take();
  yield writer.take();
}

class LineWriter {
  readonly #lanes: readonly Lane[];
  readonly #frame: { readonly open: Text; readonly close: Text; readonly nullText: Text };
  readonly #printStamp: StampPrinter | undefined;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  readonly #view = viewBytes(this.#chunk);
  #at = 0;
  /** The instant that is being written, how it is printed in a zone of the user's, and the lane that is next at it. */
  #instant: number;
  #stamp: Text | undefined;
  #lane = 0;

  constructor(lanes: readonly Lane[], { open, close, nullText }: LineFrame, printStamp: StampPrinter | undefined) {
    this.#lanes = lanes;
    this.#frame = { open: toText(open), close: toText(close), nullText: toText(nullText) };
    this.#printStamp = printStamp;
    this.#instant = findEarliest(lanes);
    this.#stamp = this.#printInstant();
  }

  /** What was written since the last time. */
  take(): Uint8Array {
    const written = this.#chunk.subarray(0, this.#at);
    this.#at = 0;
    return written;
  }

  /** Writes until there is no more room (true) or no more points (false). */
  fill(): boolean {
    for (; this.#instant !== Number.POSITIVE_INFINITY; this.#instant = findEarliest(this.#lanes), this.#stamp = this.#printInstant()) {
      for (; this.#lane < this.#lanes.length; this.#lane++) {
        const lane = this.#lanes[this.#lane] as Lane;
        while (lane.instants[lane.next] === this.#instant) {
          if (!this.#hasRoom(lane)) return true;
          this.#writeLine(lane, lane.next++);
        }
      }
      this.#lane = 0;
    }
    return false;
  }

  #hasRoom({ between }: Lane): boolean {
    const { open, close } = this.#frame;
    return this.#at + between.length + open.length + close.length + 2 * MOST_CELL_BYTES + WORD <= CHUNK_BYTES;
  }

  #writeLine({ body, starts, gaps, lengths, stampLength, between }: Lane, index: number): void {
    const { open, close, nullText } = this.#frame;
    const start = starts[index] as number;
    const length = lengths[index] as number;
    this.#copy(open.view, 0, open.length);
    if (this.#stamp) this.#copy(this.#stamp.view, 0, this.#stamp.length);
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

  #printInstant(): Text | undefined {
    const needed = this.#printStamp !== undefined && this.#instant !== Number.POSITIVE_INFINITY;
    return needed ? toText(this.#printStamp?.("", this.#instant) ?? "") : undefined;
  }
}

function findEarliest(lanes: readonly Lane[]): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { instants, next } of lanes) {
    const instant = instants[next];
    if (instant !== undefined && instant < earliest) earliest = instant;
  }
  return earliest;
}
