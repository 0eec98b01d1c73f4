/** Reads `[["2025-01-31T14:05:00+10:00",40.0],…]` from bytes without making a value of any point. */
import { ScannedPoints } from "./scanned-points.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
const LOWER_N = 0x6e;
const T = 0x54;
const Z = 0x5a;

/** Columns that grow, shared by the series of a body. */
interface Scratch {
  starts: Uint32Array;
  instants: Float64Array;
  gaps: Uint8Array;
  lengths: Uint8Array;
}

/** What is found where points were looked for. */
export interface FoundPoints {
  readonly points: ScannedPoints;
  /** The index after the closing bracket. */
  readonly end: number;
}

/** Scans the points of one body, series after series. */
export class PointScanner {
  readonly #bytes: Buffer;
  #scratch: Scratch = createScratch(4096);
  /** The last timestamp's date, its milliseconds, and its offset's: neighbours share them. */
  #date = -1;
  #dateMs = 0;
  #offset = -1;
  #offsetMs = 0;
  #instants: Float64Array | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The points of the array that opens at `at`; undefined when there is anything unusual about it. */
  scan(at: number): FoundPoints | undefined {
    let position = this.#skipSpace(at + 1);
    let count = 0;
    let stampLength = 0;
    let last = Number.NEGATIVE_INFINITY;
    for (;;) {
      if (this.#bytes[position] !== OPEN) return undefined;
      position = this.#skipSpace(position + 1);
      if (this.#bytes[position] !== QUOTE) return undefined;
      const start = position + 1;
      const stampEnd = this.#findStampEnd(start);
      const instant = stampEnd < 0 ? Number.NaN : this.#readInstant(start, stampEnd);
      stampLength ||= stampEnd - start;
      // Points that are out of order are the plain way's to sort.
      if (!(instant >= last) || stampEnd - start !== stampLength) return undefined;
      last = instant;
      position = this.#skipSpace(stampEnd + 1);
      if (this.#bytes[position] !== COMMA) return undefined;
      const value = this.#skipSpace(position + 1);
      const valueEnd = this.#findValueEnd(value);
      const isNull = this.#bytes[value] === LOWER_N;
      if (valueEnd < 0 || valueEnd - value > 255 || value - start > 255) return undefined;
      if (count === this.#scratch.starts.length) this.#scratch = growScratch(this.#scratch);
      this.#scratch.starts[count] = start;
      this.#scratch.instants[count] = instant;
      this.#scratch.gaps[count] = value - start;
      this.#scratch.lengths[count] = isNull ? 0 : valueEnd - value;
      count++;
      position = this.#skipSpace(valueEnd);
      if (this.#bytes[position] !== CLOSE) return undefined;
      position = this.#skipSpace(position + 1);
      if (this.#bytes[position] === CLOSE) return { points: this.#collect(count, stampLength), end: position + 1 };
      if (this.#bytes[position] !== COMMA) return undefined;
      position = this.#skipSpace(position + 1);
    }
  }

  #collect(count: number, stampLength: number): ScannedPoints {
    const { starts, gaps, lengths } = this.#scratch;
    const instants = this.#shareInstants(this.#scratch.instants.subarray(0, count));
    return new ScannedPoints({
      bytes: this.#bytes,
      stampLength,
      instants,
      starts: starts.slice(0, count),
      gaps: gaps.slice(0, count),
      lengths: lengths.slice(0, count),
    });
  }

  /** Series of one answer mostly have the same timestamps: those are kept once. */
  #shareInstants(instants: Float64Array): Float64Array {
    const earlier = this.#instants;
    if (earlier?.length === instants.length && earlier.every((instant, index) => instant === instants[index])) return earlier;
    this.#instants = instants.slice();
    return this.#instants;
  }

  #skipSpace(at: number): number {
    let position = at;
    for (;;) {
      const byte = this.#bytes[position];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return position;
      position++;
    }
  }

  /** `2025-01-31T14:05:00` and `Z` or `+10:00`; the index of the closing quote, or -1. */
  #findStampEnd(start: number): number {
    const bytes = this.#bytes;
    if (bytes[start + 10] !== T || bytes[start + 13] !== COLON || bytes[start + 16] !== COLON) return -1;
    const end = bytes[start + 19] === Z ? start + 20 : start + 25;
    return bytes[end] === QUOTE ? end : -1;
  }

  #readInstant(start: number, end: number): number {
    if (this.#date < 0 || !this.#equals(this.#date, start, 10)) {
      this.#dateMs = this.#readDate(start);
      this.#date = start;
    }
    const offset = start + 19;
    if (end - offset === 1) this.#offsetMs = 0;
    else if (this.#offset < 0 || !this.#equals(this.#offset, offset, 6)) this.#offsetMs = this.#readOffset(offset);
    this.#offset = end - offset === 1 ? -1 : offset;
    const hour = this.#readPair(start + 11, 23);
    const minute = this.#readPair(start + 14, 59);
    const second = this.#readPair(start + 17, 59);
    return this.#dateMs + hour * 3_600_000 + minute * 60_000 + second * 1000 - this.#offsetMs;
  }

  /** Milliseconds of a date; not a number when it is none that exists. */
  #readDate(start: number): number {
    const bytes = this.#bytes;
    if (bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return Number.NaN;
    const year = this.#readPair(start, 99) * 100 + this.#readPair(start + 2, 99);
    const month = this.#readPair(start + 5, 12);
    const day = this.#readPair(start + 8, 31);
    const ms = Date.UTC(year, month - 1, day);
    const date = new Date(ms);
    // Date.UTC takes years below 100 for those of the last century.
    return year >= 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : Number.NaN;
  }

  #readOffset(start: number): number {
    const bytes = this.#bytes;
    const sign = bytes[start] === PLUS ? 1 : bytes[start] === MINUS ? -1 : Number.NaN;
    if (bytes[start + 3] !== COLON) return Number.NaN;
    return sign * (this.#readPair(start + 1, 23) * 60 + this.#readPair(start + 4, 59)) * 60_000;
  }

  /** Two digits of at most `most`; not a number for anything else. */
  #readPair(start: number, most: number): number {
    const tens = (this.#bytes[start] as number) - ZERO;
    const ones = (this.#bytes[start + 1] as number) - ZERO;
    const value = tens * 10 + ones;
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 && value <= most ? value : Number.NaN;
  }

  #equals(a: number, b: number, length: number): boolean {
    const bytes = this.#bytes;
    for (let index = 0; index < length; index++) if (bytes[a + index] !== bytes[b + index]) return false;
    return true;
  }

  /** The index after a JSON number or `null`, or -1. */
  #findValueEnd(start: number): number {
    const bytes = this.#bytes;
    if (bytes[start] === LOWER_N) return bytes.toString("latin1", start, start + 4) === "null" ? start + 4 : -1;
    const whole = bytes[start] === MINUS ? start + 1 : start;
    let at = this.#skipDigits(whole);
    if (at === whole || (bytes[whole] === ZERO && at > whole + 1)) return -1;
    if (bytes[at] === POINT) {
      const fraction = at + 1;
      at = this.#skipDigits(fraction);
      if (at === fraction) return -1;
    }
    if (bytes[at] !== LOWER_E && bytes[at] !== UPPER_E) return at;
    const sign = bytes[at + 1];
    const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
    at = this.#skipDigits(exponent);
    return at === exponent ? -1 : at;
  }

  #skipDigits(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    while ((bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at++;
    return at;
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
