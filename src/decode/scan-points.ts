/** Finds the points of `[["2025-01-31T14:05:00+10:00",40.0],…]` in bytes, without creating a value per point. */
import { CLOSE, COMMA, findValueEnd, LOWER_N, OPEN, QUOTE, skipSpace } from "./bytes.ts";
import { StampScanner } from "./scan-stamps.ts";
import type { Body } from "../series/body.ts";
import { type ScannedColumns, ScannedPoints } from "../series/scanned-points.ts";

/** Growing columns, reused for every series of a body. */
interface Scratch {
  starts: Uint32Array;
  instants: Float64Array;
  gaps: Uint8Array;
  lengths: Uint8Array;
}

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
  scan(at: number): FoundPoints | undefined {
    const found = (this.#previous && this.#scanSameStamps(at, this.#previous)) ?? this.#scanAny(at);
    this.#previous = found?.points.columns;
    return found;
  }

  /** Most series of an answer have the same timestamps, and comparing is faster than parsing. Only for JSON without white space. */
  #scanSameStamps(at: number, { stampLength, instants, starts: others }: ScannedColumns): FoundPoints | undefined {
    const bytes = this.#bytes;
    const count = others.length;
    const starts = new Uint32Array(count);
    const lengths = new Uint8Array(count);
    let position = at + 1;
    for (let index = 0; index < count; index++) {
      const start = position + 2;
      const value = start + stampLength + 2;
      if (value + 4 > bytes.length || bytes[position] !== OPEN || bytes[position + 1] !== QUOTE) return undefined;
      if (bytes[value - 2] !== QUOTE || bytes[value - 1] !== COMMA) return undefined;
      if (!this.#equalWords(start, others[index] as number, stampLength)) return undefined;
      const end = findValueEnd(bytes, value);
      if (end < 0 || end - value > 255 || bytes[end] !== CLOSE) return undefined;
      if (bytes[end + 1] !== (index === count - 1 ? CLOSE : COMMA)) return undefined;
      starts[index] = start;
      lengths[index] = bytes[value] === LOWER_N ? 0 : end - value;
      position = end + 2;
    }
    const gaps = new Uint8Array(count).fill(stampLength + 2);
    return { points: new ScannedPoints({ body: this.#body, stampLength, instants, starts, gaps, lengths }), end: position };
  }

  /** Four bytes at a time; the last four may overlap the previous ones. */
  #equalWords(a: number, b: number, length: number): boolean {
    const view = this.#view;
    for (let index = 0; index < length - 4; index += 4) if (view.getInt32(a + index) !== view.getInt32(b + index)) return false;
    return view.getInt32(a + length - 4) === view.getInt32(b + length - 4);
  }

  #scanAny(at: number): FoundPoints | undefined {
    const bytes = this.#bytes;
    let position = skipSpace(bytes, at + 1);
    let count = 0;
    let stampLength = 0;
    let last = Number.NEGATIVE_INFINITY;
    for (;;) {
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
      if (bytes[position] === CLOSE) return { points: this.#collect(count, stampLength), end: position + 1 };
      if (bytes[position] !== COMMA) return undefined;
      position = skipSpace(bytes, position + 1);
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
