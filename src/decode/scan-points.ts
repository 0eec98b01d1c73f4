/** Finds the points of `[["2025-01-31T14:05:00+10:00",40.0],…]` in bytes, without creating a value per point. */
import { CLOSE, COMMA, findValueEnd, LOWER_N, OPEN, QUOTE, skipSpace } from "./bytes.ts";
import { StampScanner } from "./scan-stamps.ts";
import type { Steps } from "../base/steps.ts";
import type { Body } from "../series/body.ts";
import { type ScannedColumns, ScannedPoints } from "../series/scanned-points.ts";

/** Growing columns, reused for every series of a body. */
interface Scratch {
  starts: Uint32Array;
  instants: Float64Array;
  gaps: Uint8Array;
  lengths: Uint8Array;
}

/** Points from an index to another one that are to have the timestamps of another series. */
interface Comparison {
  readonly from: number;
  readonly to: number;
  readonly columns: ScannedColumns;
  /** The offsets of the other series' timestamps. */
  readonly others: Uint32Array;
}

/** How far the points of an array are scanned. */
interface Progress {
  /** The position of the next point, in bytes. */
  position: number;
  count: number;
  stampLength: number;
  /** The instant of the last one. */
  last: number;
}

/** So many points take about 5 ms. */
const STEP_POINTS = 50_000;

export interface FoundPoints {
  readonly points: ScannedPoints;
  /** The index after the closing bracket. */
  readonly end: number;
}

/** Scans the points of one body, series by series. */
export class PointScanner {
  readonly #body: Body;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #scratch: Scratch = createScratch(4096);
  readonly #stamps: StampScanner;
  #previous: ScannedColumns | undefined;

  constructor(body: Body) {
    const { bytes } = body;
    this.#body = body;
    this.#bytes = bytes;
    this.#stamps = new StampScanner(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The points of the array that opens at `at`; undefined if it is unusual. */
  *scan(at: number): Steps<FoundPoints | undefined> {
    const found = (this.#previous && (yield* this.#scanSameStamps(at, this.#previous))) ?? (yield* this.#scanAny(at));
    this.#previous = found?.points.columns;
    return found;
  }

  /** Most series of an answer have the same timestamps, and comparing is faster than parsing. Only for JSON without white space. */
  *#scanSameStamps(at: number, others: ScannedColumns): Steps<FoundPoints | undefined> {
    const { stampLength, instants } = others;
    const count = instants.length;
    const gaps = new Uint8Array(count).fill(stampLength + 2);
    const columns = { body: this.#body, stampLength, instants, starts: new Uint32Array(count), gaps, lengths: new Uint8Array(count) };
    let end = at + 1;
    for (let from = 0; from < count; from += STEP_POINTS) {
      if (from > 0) yield;
      end = this.#compare(end, { from, to: Math.min(count, from + STEP_POINTS), columns, others: others.starts });
      if (end < 0) return undefined;
    }
    return { points: new ScannedPoints(columns), end };
  }

  /** Scans points with known timestamps from a position on. The position after them, or -1. */
  #compare(at: number, { from, to, columns: { stampLength, starts, lengths }, others }: Comparison): number {
    const bytes = this.#bytes;
    const last = starts.length - 1;
    let position = at;
    for (let index = from; index < to; index++) {
      const start = position + 2;
      const value = start + stampLength + 2;
      if (value + 4 > bytes.length || bytes[position] !== OPEN || bytes[position + 1] !== QUOTE) return -1;
      if (bytes[value - 2] !== QUOTE || bytes[value - 1] !== COMMA) return -1;
      if (!this.#equalWords(start, others[index] as number, stampLength)) return -1;
      const end = findValueEnd(bytes, value);
      if (end < 0 || end - value > 255 || bytes[end] !== CLOSE) return -1;
      if (bytes[end + 1] !== (index === last ? CLOSE : COMMA)) return -1;
      starts[index] = start;
      lengths[index] = bytes[value] === LOWER_N ? 0 : end - value;
      position = end + 2;
    }
    return position;
  }

  /** Four bytes at a time; the last four may overlap the previous ones. */
  #equalWords(a: number, b: number, length: number): boolean {
    const view = this.#view;
    for (let index = 0; index < length - 4; index += 4) if (view.getInt32(a + index) !== view.getInt32(b + index)) return false;
    return view.getInt32(a + length - 4) === view.getInt32(b + length - 4);
  }

  *#scanAny(at: number): Steps<FoundPoints | undefined> {
    const progress = { position: skipSpace(this.#bytes, at + 1), count: 0, stampLength: 0, last: Number.NEGATIVE_INFINITY };
    for (;;) {
      const end = this.#parse(progress);
      if (end === undefined) return undefined;
      if (end >= 0) return { points: this.#collect(progress.count, progress.stampLength), end };
      yield;
    }
  }

  /** Scans the next points. The index after the closing bracket, -1 where there are more of them, or undefined. */
  #parse(progress: Progress): number | undefined {
    const bytes = this.#bytes;
    let { position, count, stampLength, last } = progress;
    for (const stop = count + STEP_POINTS; ; ) {
      if (bytes[position] !== OPEN) return undefined;
      position = skipSpace(bytes, position + 1);
      if (bytes[position] !== QUOTE) return undefined;
      const start = position + 1;
      const stampEnd = this.#stamps.findEnd(start);
      const instant = stampEnd < 0 ? Number.NaN : this.#stamps.readInstant(start, stampEnd);
      stampLength ||= stampEnd - start;
      // Points out of order: the full parser sorts them.
      if (!(instant >= last) || stampEnd - start !== stampLength) return undefined;
      last = instant;
      position = skipSpace(bytes, stampEnd + 1);
      if (bytes[position] !== COMMA) return undefined;
      const value = skipSpace(bytes, position + 1);
      const valueEnd = findValueEnd(bytes, value);
      const isNull = bytes[value] === LOWER_N;
      if (valueEnd < 0 || valueEnd - value > 255 || value - start > 255) return undefined;
      if (count === this.#scratch.starts.length) this.#scratch = growScratch(this.#scratch);
      this.#scratch.starts[count] = start;
      this.#scratch.instants[count] = instant;
      this.#scratch.gaps[count] = value - start;
      this.#scratch.lengths[count] = isNull ? 0 : valueEnd - value;
      count++;
      position = skipSpace(bytes, valueEnd);
      if (bytes[position] !== CLOSE) return undefined;
      position = skipSpace(bytes, position + 1);
      const isEnd = bytes[position] === CLOSE;
      if (!isEnd && bytes[position] !== COMMA) return undefined;
      position = isEnd ? position + 1 : skipSpace(bytes, position + 1);
      if (!isEnd && count < stop) continue;
      Object.assign(progress, { position, count, stampLength, last });
      return isEnd ? position : -1;
    }
  }

  #collect(count: number, stampLength: number): ScannedPoints {
    const { starts, instants, gaps, lengths } = this.#scratch;
    return new ScannedPoints({
      body: this.#body,
      stampLength,
      instants: instants.slice(0, count),
      starts: starts.slice(0, count),
      gaps: gaps.slice(0, count),
      lengths: lengths.slice(0, count),
    });
  }
}

function createScratch(size: number): Scratch {
  return {
    starts: new Uint32Array(size),
    instants: new Float64Array(size),
    gaps: new Uint8Array(size),
    lengths: new Uint8Array(size),
  };
}

function growScratch({ starts, instants, gaps, lengths }: Scratch): Scratch {
  const grown = createScratch(starts.length * 2);
  grown.starts.set(starts);
  grown.instants.set(instants);
  grown.gaps.set(gaps);
  grown.lengths.set(lengths);
  return grown;
}
