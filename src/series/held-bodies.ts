import type { Body } from "./body.ts";
import { ScannedPoints } from "./scanned-points.ts";
import type { TimeSeries } from "./time-series.ts";

/** Frees bodies whose points were all handed on; the last ones go with the process. */
export class HeldBodies {
  #held: ReadonlySet<Body> = new Set();

  /** All points were handed on but those of `pending`. */
  freeAllBut(pending: readonly TimeSeries[]): void {
    const used = new Set(listBodies(pending));
    for (const body of this.#held) if (!used.has(body)) body.free();
    this.#held = used;
  }
}

function listBodies(timeSeries: readonly TimeSeries[]): Body[] {
  return timeSeries.flatMap(({ series }) => series.flatMap(({ points }) => (points instanceof ScannedPoints ? [points.columns.body] : [])));
}
