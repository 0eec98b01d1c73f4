/** Points of several series side by side. */
import { Timeline, isAt, type PointCursor } from "../layout/timeline.ts";
import { timestampAt, valueAt } from "../point-operations.ts";
import type { Points } from "../points.ts";

export interface AlignedPoints {
  readonly instant: number;
  readonly timestamp: string;
  /** By series: JSON text, null, or undefined without a point. Valid until the next step. */
  readonly values: readonly (string | null | undefined)[];
}

interface Cursor extends PointCursor {
  readonly points: Points;
  readonly index: number;
}

/** Steps through the instants of all series; several points of a series at one instant are several steps. */
export function* alignPoints(series: readonly Points[]): Generator<AlignedPoints> {
  const cursors = series.map((points, index): Cursor => ({ points, index, instants: points.instants, next: 0 }));
  const timeline = new Timeline(cursors);
  const values = new Array<string | null | undefined>(series.length).fill(undefined);
  for (; timeline.instant !== Number.POSITIVE_INFINITY; timeline.advance()) {
    const { instant, due } = timeline;
    for (;;) {
      let timestamp: string | undefined;
      values.fill(undefined);
      for (const cursor of due) {
        if (!isAt(cursor, instant)) continue;
        timestamp ??= timestampAt(cursor.points, cursor.next);
        values[cursor.index] = valueAt(cursor.points, cursor.next);
        cursor.next++;
      }
      if (timestamp === undefined) break;
      yield { instant, timestamp, values };
    }
  }
}

/** Builds points one by one. */
export class PointList {
  readonly #timestamps: string[] = [];
  readonly #instants: number[] = [];
  readonly #values: (string | null)[] = [];
  readonly #divisors: number[] = [];

  /** `divisor`: what the value was divided by, if it is a ratio. */
  add({ instant, timestamp }: Pick<AlignedPoints, "instant" | "timestamp">, value: string | null, divisor?: number): void {
    this.#timestamps.push(timestamp);
    this.#instants.push(instant);
    this.#values.push(value);
    if (divisor !== undefined) this.#divisors.push(divisor);
  }

  get points(): Points {
    const points = { timestamps: this.#timestamps, instants: this.#instants, values: this.#values };
    return this.#divisors.length === 0 ? points : { ...points, divisors: this.#divisors };
  }
}
