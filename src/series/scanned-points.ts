import type { Body } from "./body.ts";
import type { Points } from "./points.ts";

/** Byte positions of the points of a series in a body: one entry per point in each column. */
export interface ScannedColumns {
  /** UTF-8. */
  readonly body: Body;
  /** Bytes per timestamp, the same for all. */
  readonly stampLength: number;
  /** The offset of each timestamp. */
  readonly starts: Uint32Array;
  /** Milliseconds since 1970 UTC. */
  readonly instants: Float64Array;
  /** Bytes from the start of a timestamp to the start of its value. */
  readonly gaps: Uint8Array;
  /** Bytes of a value; 0 for null. */
  readonly lengths: Uint8Array;
}

/** Points that stay in the bytes of the body, which must not be freed before; `stamps` and `values` are decoded on first use. */
export class ScannedPoints implements Points {
  readonly columns: ScannedColumns;
  #stamps: string[] | undefined;
  #values: (string | null)[] | undefined;

  constructor(columns: ScannedColumns) {
    this.columns = columns;
  }

  get instants(): Float64Array {
    return this.columns.instants;
  }

  get stamps(): readonly string[] {
    this.#stamps ??= Array.from(this.columns.starts, (_, index) => this.stampAt(index));
    return this.#stamps;
  }

  get values(): readonly (string | null)[] {
    this.#values ??= Array.from(this.columns.starts, (_, index) => this.valueAt(index));
    return this.#values;
  }

  stampAt(index: number): string {
    const { body, starts, stampLength } = this.columns;
    const start = starts[index] as number;
    return body.bytes.toString("latin1", start, start + stampLength);
  }

  valueAt(index: number): string | null {
    const { body, starts, gaps, lengths } = this.columns;
    const start = (starts[index] as number) + (gaps[index] as number);
    const length = lengths[index] as number;
    return length === 0 ? null : body.bytes.toString("latin1", start, start + length);
  }

  slice(from: number, to?: number): ScannedPoints {
    const { starts, instants, gaps, lengths } = this.columns;
    if (from === 0 && (to ?? starts.length) >= starts.length) return this;
    return new ScannedPoints({
      ...this.columns,
      starts: starts.subarray(from, to),
      instants: instants.subarray(from, to),
      gaps: gaps.subarray(from, to),
      lengths: lengths.subarray(from, to),
    });
  }

  filter(keep: (index: number) => boolean): ScannedPoints {
    const { starts, instants, gaps, lengths } = this.columns;
    const kept = (_: number, index: number) => keep(index);
    return new ScannedPoints({
      ...this.columns,
      starts: starts.filter(kept),
      instants: instants.filter(kept),
      gaps: gaps.filter(kept),
      lengths: lengths.filter(kept),
    });
  }
}
