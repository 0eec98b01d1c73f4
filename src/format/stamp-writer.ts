import type { PointCursor } from "../series/layout/timeline.ts";
import type { ScannedColumns, ScannedPoints } from "../series/scanned-points.ts";
import { type ByteChunk, viewBytes } from "./byte-chunk.ts";

/** The next point of a series, in bytes. */
export interface ByteCursor extends Omit<ScannedColumns, "body" | "instants">, PointCursor {
  readonly points: ScannedPoints;
  /** Has at least three bytes after any value, so that copying whole words stays inside it. */
  readonly body: DataView;
}

export interface StampStyle {
  /** Prints the timestamps of a line, in Latin-1; undefined: the timestamp is copied. */
  readonly print: ((stamp: string, instant: number) => string) | undefined;
  /** Whether what is printed depends on how the service wrote the timestamp. */
  readonly asSent: boolean;
}

/** Maximum bytes of the printed timestamps of a line. */
export const MAX_STAMPS_BYTES = 256;

/** Writes the timestamps of lines: copied, or printed once for all lines of an instant. */
export class StampWriter {
  readonly #style: StampStyle;
  readonly #printed = Buffer.alloc(MAX_STAMPS_BYTES);
  readonly #view = viewBytes(this.#printed);
  #length = 0;
  #instant = Number.NaN;
  /** Where the printed timestamp was read. */
  #body: DataView = this.#view;
  #start = 0;

  constructor(style: StampStyle) {
    this.#style = style;
  }

  write(chunk: ByteChunk, cursor: ByteCursor): void {
    const { body, starts, next, stampLength, points } = cursor;
    const { print } = this.#style;
    const start = starts[next] as number;
    if (!print) return chunk.copy(body, start, stampLength);
    const instant = cursor.instants[next] as number;
    if (instant !== this.#instant || (this.#style.asSent && !this.#isSame(cursor, start))) {
      this.#length = this.#printed.write(print(points.stampAt(next), instant), "latin1");
      this.#instant = instant;
      this.#body = body;
      this.#start = start;
    }
    chunk.copy(this.#view, 0, this.#length);
  }

  /** Whether the timestamp is spelled as the printed one is. */
  #isSame({ body, stampLength }: ByteCursor, start: number): boolean {
    for (let index = 0; index < stampLength; index++) {
      if (body.getUint8(start + index) !== this.#body.getUint8(this.#start + index)) return false;
    }
    // Lengths need no check: a longer timestamp differs at the quote that ends the printed one; a shorter one is another instant.
    return true;
  }
}
