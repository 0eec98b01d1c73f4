import { Body } from "./body.ts";

/** Milliseconds since 1970 UTC. */
export type Instants = readonly number[] | Float64Array;

export const NO_POINTS: Points = { timestamps: [], instants: [], values: [] };

/**
 * The points of one series, as columns of equal length, ordered by instant; equal instants keep the service's order.
 */
export interface Points {
  /** Timestamps as the service sent them. */
  readonly timestamps: readonly string[];
  readonly instants: Instants;
  /** Values as JSON text, digit for digit (`40.00`); null where the service sent null. */
  readonly values: readonly (string | null)[];
  /**
   * Of a metric that ents computes, what was divided at each point, so that a mean is the ratio of the sums. 0 and 0 if
   * it is null because there is nothing to divide by; NaN if a part is missing. `most`: that no ratio exceeds.
   */
  readonly ratio?: { readonly over: readonly number[]; readonly under: readonly number[]; readonly most?: number };
}

/** Byte positions of points in a body: one entry per point in each column. */
export interface PointColumns {
  /** The byte offset of each timestamp. */
  readonly starts: Uint32Array;
  /** Milliseconds since 1970 UTC. */
  readonly instants: Float64Array;
  /** Bytes from the start of a timestamp to the start of its value. */
  readonly gaps: Uint8Array;
  /** Bytes of a value; 0 for null. */
  readonly lengths: Uint8Array;
}

export interface ScannedColumns extends PointColumns {
  /** UTF-8. */
  readonly body: Body;
  /** Bytes per timestamp, the same for all. */
  readonly timestampLength: number;
}

/**
 * Points kept as bytes of a body, which must not be freed while they are in use; `timestamps` and `values` are decoded
 * on first use.
 */
export class ScannedPoints implements Points {
  readonly columns: ScannedColumns;
  #timestamps: string[] | undefined;
  #values: (string | null)[] | undefined;

  constructor(columns: ScannedColumns) {
    this.columns = columns;
  }

  /** @throws if the body was freed, and the columns in its memory with it. */
  get instants(): Float64Array {
    const { body, instants } = this.columns;
    // Reading `bytes` checks that.
    return body.bytes && instants;
  }

  get timestamps(): readonly string[] {
    this.#timestamps ??= Array.from(this.columns.starts, (_, index) => this.timestampAt(index));
    return this.#timestamps;
  }

  get values(): readonly (string | null)[] {
    this.#values ??= Array.from(this.columns.starts, (_, index) => this.valueAt(index));
    return this.#values;
  }

  timestampAt(index: number): string {
    const { body, starts, timestampLength } = this.columns;
    const start = starts[index] as number;
    return body.bytes.toString("latin1", start, start + timestampLength);
  }

  valueAt(index: number): string | null {
    const { body, starts, gaps, lengths } = this.columns;
    const start = (starts[index] as number) + (gaps[index] as number);
    const length = lengths[index] as number;
    return length === 0 ? null : body.bytes.toString("latin1", start, start + length);
  }

  /** Applies the same change to each column. */
  map(change: <Column extends PointColumns[keyof PointColumns]>(column: Column) => Column): ScannedPoints {
    const { starts, instants, gaps, lengths } = this.columns;
    const changed = {
      starts: change(starts),
      instants: change(instants),
      gaps: change(gaps),
      lengths: change(lengths),
    };
    return new ScannedPoints({ ...this.columns, ...changed });
  }
}

/** Bytes of a point in all columns. */
const POINT_BYTES = 14;

/** `body`: whose memory has the columns, if there is room; they are valid until it is freed. */
export function createColumns(size: number, body?: Body): PointColumns {
  const bytes = size * POINT_BYTES;
  const { buffer, byteOffset: at } = body?.allocate(bytes) ?? { buffer: new ArrayBuffer(bytes), byteOffset: 0 };
  return {
    instants: new Float64Array(buffer, at, size),
    starts: new Uint32Array(buffer, at + 8 * size, size),
    gaps: new Uint8Array(buffer, at + 12 * size, size),
    lengths: new Uint8Array(buffer, at + 13 * size, size),
  };
}

export function setColumns(columns: PointColumns, { starts, instants, gaps, lengths }: PointColumns, at: number): void {
  columns.starts.set(starts, at);
  columns.instants.set(instants, at);
  columns.gaps.set(gaps, at);
  columns.lengths.set(lengths, at);
}

/** Padding after the last value, as values are copied 4 bytes at a time (src/format/byte-chunk.ts). */
const SPARE = Buffer.alloc(4);
/** Maximum size of a joined buffer. Positions have 32 bits, and larger buffers are not duplicated. */
const MAX_BYTES = 2 ** 30;

/** Creates null points; all timestamps must have the same length. */
export function createNulls(timestamps: readonly string[], instants: readonly number[]): ScannedPoints {
  const timestampLength = timestamps[0]?.length ?? 0;
  return new ScannedPoints({
    body: new Body(Buffer.concat([Buffer.from(timestamps.join(""), "latin1"), SPARE])),
    timestampLength,
    starts: Uint32Array.from(timestamps, (_, index) => index * timestampLength),
    instants: Float64Array.from(instants),
    gaps: new Uint8Array(timestamps.length).fill(timestampLength),
    lengths: new Uint8Array(timestamps.length),
  });
}

/**
 * Joins non-empty parts, in order, in one buffer; undefined if timestamps differ in length or the buffer would be too
 * large.
 */
export function concatScanned(parts: readonly ScannedPoints[]): ScannedPoints | undefined {
  const all = parts.map(({ columns }) => ({ columns, bytes: findBytes(columns) }));
  const timestampLength = all[0]?.columns.timestampLength ?? 0;
  const size = all.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > MAX_BYTES || all.some(({ columns }) => columns.timestampLength !== timestampLength)) return undefined;
  const joined = createColumns(parts.reduce((count, { instants }) => count + instants.length, 0));
  let [count, copied] = [0, 0];
  for (const { columns, bytes } of all) {
    const shift = copied - (columns.starts[0] as number);
    setColumns(joined, { ...columns, starts: columns.starts.map((start) => start + shift) }, count);
    count += columns.starts.length;
    copied += bytes.length;
  }
  return new ScannedPoints({
    body: new Body(Buffer.concat([...all.map(({ bytes }) => bytes), SPARE])),
    timestampLength,
    ...joined,
  });
}

/** True if the bytes of two series show that all of their points are the same; they may be the same otherwise, too. */
export function hasSameBytes(one: Points, other: Points): boolean {
  if (!(one instanceof ScannedPoints && other instanceof ScannedPoints) || one.instants.length === 0) return false;
  return one.instants.length === other.instants.length && findBytes(one.columns).equals(findBytes(other.columns));
}

/** From the first timestamp to the end of the last value. */
function findBytes({ body, starts, gaps, lengths }: ScannedColumns): Buffer {
  const last = starts.length - 1;
  return body.bytes.subarray(starts[0], (starts[last] as number) + (gaps[last] as number) + (lengths[last] as number));
}
