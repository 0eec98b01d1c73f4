/** The fast way from points to lines: timestamps and numbers are copied from the body's bytes, and never become values. */
import type { LongSeries } from "../rows/long.ts";
import type { StampPrinter } from "../rows/table.ts";
import { ScannedPoints } from "../series/scanned-points.ts";
import { printAsSent } from "../zones.ts";

/** What stands around the timestamp and the value of a line. */
export interface LineFrame {
  readonly open: string;
  readonly between: (series: LongSeries) => string;
  readonly nullText: string;
  readonly close: string;
}

const CHUNK_BYTES = 256 * 1024;
/** Most bytes of a timestamp or a value, which are counted in one byte. */
const MOST_CELL_BYTES = 255;

/**
 * The lines of all points, ordered by instant and then as the series are; undefined when some points are not in bytes.
 * A chunk is good until the next is asked for: its memory is used again.
 */
export function copyPoints(series: readonly LongSeries[], frame: LineFrame, printStamp: StampPrinter): Iterable<Uint8Array> | undefined {
  const lanes: Lane[] = [];
  for (const one of series) {
    if (one.points.instants.length === 0) continue;
    if (!(one.points instanceof ScannedPoints)) return undefined;
    lanes.push({ points: one.points, between: Buffer.from(frame.between(one)), next: 0 });
  }
  return copyLanes(lanes, frame, printStamp);
}

/** One series on its way into lines. */
interface Lane {
  readonly points: ScannedPoints;
  readonly between: Buffer;
  next: number;
}

function* copyLanes(lanes: readonly Lane[], frame: LineFrame, printStamp: StampPrinter): Generator<Uint8Array> {
  const writer = new LineWriter(frame, printStamp);
  for (let instant = findEarliest(lanes); instant !== Number.POSITIVE_INFINITY; instant = findEarliest(lanes)) {
    for (const lane of lanes) {
      while (lane.points.columns.instants[lane.next] === instant) {
        if (!writer.hasRoom(lane)) yield writer.take();
        writer.writeLine(lane);
        lane.next++;
      }
    }
  }
  yield writer.take();
}

function findEarliest(lanes: readonly Lane[]): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { points, next } of lanes) {
    const instant = points.columns.instants[next];
    if (instant !== undefined && instant < earliest) earliest = instant;
  }
  return earliest;
}

class LineWriter {
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  readonly #open: Buffer;
  readonly #close: Buffer;
  readonly #nullText: Buffer;
  readonly #printStamp: StampPrinter | undefined;
  /** The last instant and how it is printed, in a zone of the user's. */
  #instant = Number.NaN;
  #stamp = Buffer.alloc(0);
  #at = 0;

  constructor({ open, close, nullText }: LineFrame, printStamp: StampPrinter) {
    this.#open = Buffer.from(open);
    this.#close = Buffer.from(close);
    this.#nullText = Buffer.from(nullText);
    this.#printStamp = printStamp === printAsSent ? undefined : printStamp;
  }

  hasRoom({ between }: Lane): boolean {
    return this.#at + between.length + this.#open.length + this.#close.length + 2 * MOST_CELL_BYTES <= CHUNK_BYTES;
  }

  /** What was written since the last time. */
  take(): Uint8Array {
    const written = this.#chunk.subarray(0, this.#at);
    this.#at = 0;
    return written;
  }

  writeLine({ points, between, next }: Lane): void {
    const { bytes, starts, gaps, lengths, stampLength } = points.columns;
    const start = starts[next] as number;
    const length = lengths[next] as number;
    this.#copy(this.#open, 0, this.#open.length);
    if (this.#printStamp) this.#writeInstant(points, next, this.#printStamp);
    else this.#copy(bytes, start, start + stampLength);
    this.#copy(between, 0, between.length);
    if (length === 0) this.#copy(this.#nullText, 0, this.#nullText.length);
    else this.#copy(bytes, start + (gaps[next] as number), start + (gaps[next] as number) + length);
    this.#copy(this.#close, 0, this.#close.length);
  }

  #writeInstant(points: ScannedPoints, index: number, printStamp: StampPrinter): void {
    const instant = points.instants[index] as number;
    if (instant !== this.#instant) {
      this.#instant = instant;
      this.#stamp = Buffer.from(printStamp("", instant));
    }
    this.#copy(this.#stamp, 0, this.#stamp.length);
  }

  /** Byte by byte: a cell is too short for a native copy to pay. */
  #copy(source: Buffer, from: number, to: number): void {
    const chunk = this.#chunk;
    let at = this.#at;
    for (let index = from; index < to; index++) chunk[at++] = source[index] as number;
    this.#at = at;
  }
}
