/** Finds the points of `[["2025-01-31T14:05:00+10:00",40.0],…]` in bytes, without creating a value per point. */
import { CLOSE, COMMA, findValueEnd, LOWER_N, OPEN, QUOTE, skipSpace, TimestampScanner } from "./bytes.ts";
import type { Steps } from "../base/steps.ts";
import type { Body } from "../series/body.ts";
import { createColumns, type PointColumns, type ScannedColumns, ScannedPoints, setColumns } from "../series/points.ts";

interface ScanState {
  /** The position of the next point, in bytes. */
  position: number;
  count: number;
  timestampLength: number;
  /** The instant of the last point, in milliseconds since 1970 UTC. */
  last: number;
}

/** Points per step: about 5 ms. */
const STEP_POINTS = 50_000;

interface FoundPoints {
  readonly points: ScannedPoints;
  /** The index after the closing bracket. */
  readonly end: number;
}

export class PointScanner {
  readonly #body: Body;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  /** Grows as needed; reused for every series of the body. */
  #scratch: PointColumns = createColumns(4096);
  readonly #timestamps: TimestampScanner;
  #previous: ScannedColumns | undefined;

  constructor(body: Body) {
    const { bytes } = body;
    this.#body = body;
    this.#bytes = bytes;
    this.#timestamps = new TimestampScanner(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The points of the array that opens at `at`; undefined if it is unusual. */
  *scan(at: number): Steps<FoundPoints | undefined> {
    const found =
      (this.#previous && (yield* this.#scanSameTimestamps(at, this.#previous))) ?? (yield* this.#scanAny(at));
    this.#previous = found?.points.columns;
    return found;
  }

  /**
   * Most series of a response have the same timestamps, and comparing is faster than parsing. Only for JSON without
   * white space.
   */
  *#scanSameTimestamps(at: number, others: ScannedColumns): Steps<FoundPoints | undefined> {
    const { timestampLength, instants } = others;
    const count = instants.length;
    const columns = { ...createColumns(count, this.#body), body: this.#body, timestampLength, instants };
    columns.gaps.fill(timestampLength + 2);
    let end = at + 1;
    for (let from = 0; from < count; from += STEP_POINTS) {
      if (from > 0) yield;
      end = this.#compare(end, from, { ...columns, others: others.starts });
      if (end < 0) return undefined;
    }
    return { points: new ScannedPoints(columns), end };
  }

  /** Scans the next points, whose timestamps must equal those at `others`. Returns the position after them, or -1. */
  #compare(
    at: number,
    from: number,
    { timestampLength, starts, lengths, others }: ScannedColumns & { others: Uint32Array },
  ): number {
    const bytes = this.#bytes;
    const last = starts.length - 1;
    const to = Math.min(starts.length, from + STEP_POINTS);
    let position = at;
    for (let index = from; index < to; index++) {
      const start = position + 2;
      const value = start + timestampLength + 2;
      if (value + 4 > bytes.length || bytes[position] !== OPEN || bytes[position + 1] !== QUOTE) return -1;
      if (bytes[value - 2] !== QUOTE || bytes[value - 1] !== COMMA) return -1;
      if (!this.#equalWords(start, others[index] as number, timestampLength)) return -1;
      const end = findValueEnd(bytes, value);
      if (end < 0 || end - value > 255 || bytes[end] !== CLOSE) return -1;
      if (bytes[end + 1] !== (index === last ? CLOSE : COMMA)) return -1;
      starts[index] = start;
      lengths[index] = bytes[value] === LOWER_N ? 0 : end - value;
      position = end + 2;
    }
    return position;
  }

  /** Compares four bytes at a time; the last four may overlap the previous ones. */
  #equalWords(a: number, b: number, length: number): boolean {
    const view = this.#view;
    for (let index = 0; index < length - 4; index += 4)
      if (view.getInt32(a + index) !== view.getInt32(b + index)) return false;
    return view.getInt32(a + length - 4) === view.getInt32(b + length - 4);
  }

  *#scanAny(at: number): Steps<FoundPoints | undefined> {
    const progress = {
      position: skipSpace(this.#bytes, at + 1),
      count: 0,
      timestampLength: 0,
      last: Number.NEGATIVE_INFINITY,
    };
    for (;;) {
      const end = this.#parse(progress);
      if (end === undefined) return undefined;
      if (end >= 0) return { points: this.#collect(progress.count, progress.timestampLength), end };
      yield;
    }
  }

  /**
   * Scans the next points. Returns the index after the closing bracket, -1 if more points follow, or undefined for an
   * unusual array.
   */
  #parse(progress: ScanState): number | undefined {
    const bytes = this.#bytes;
    let { position, count, timestampLength, last } = progress;
    for (const stop = count + STEP_POINTS; ; ) {
      if (bytes[position] !== OPEN) return undefined;
      position = skipSpace(bytes, position + 1);
      if (bytes[position] !== QUOTE) return undefined;
      const start = position + 1;
      const timestampEnd = this.#timestamps.findEnd(start);
      const instant = timestampEnd < 0 ? Number.NaN : this.#timestamps.readInstant(start, timestampEnd);
      timestampLength ||= timestampEnd - start;
      // Points out of order: the full parser sorts them.
      if (!(instant >= last) || timestampEnd - start !== timestampLength) return undefined;
      last = instant;
      position = skipSpace(bytes, timestampEnd + 1);
      if (bytes[position] !== COMMA) return undefined;
      const value = skipSpace(bytes, position + 1);
      const valueEnd = findValueEnd(bytes, value);
      const isNull = bytes[value] === LOWER_N;
      if (valueEnd < 0 || valueEnd - value > 255 || value - start > 255) return undefined;
      if (count === this.#scratch.starts.length) this.#grow();
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
      Object.assign(progress, { position, count, timestampLength, last });
      return isEnd ? position : -1;
    }
  }

  #grow(): void {
    const grown = createColumns(this.#scratch.starts.length * 2);
    setColumns(grown, this.#scratch, 0);
    this.#scratch = grown;
  }

  #collect(count: number, timestampLength: number): ScannedPoints {
    const columns = createColumns(count, this.#body);
    const scratch = new ScannedPoints({ body: this.#body, timestampLength, ...this.#scratch });
    setColumns(columns, scratch.map((column) => column.subarray(0, count) as typeof column).columns, 0);
    return new ScannedPoints({ ...columns, body: this.#body, timestampLength });
  }
}
