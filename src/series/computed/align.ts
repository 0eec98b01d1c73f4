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

/** What is divided at one point; NaN if it is missing. */
export interface RatioParts {
  readonly over: number;
  readonly under: number;
  /** JSON text of the value, if it is not the ratio. */
  readonly value?: string | null;
}

/** Of a value of which a part is missing. */
export const UNKNOWN: RatioParts = { over: Number.NaN, under: Number.NaN };
/** Of a value that is known not to exist. */
export const NOTHING: RatioParts = { over: 0, under: 0 };

/** Builds points one by one. */
export class PointList {
  readonly #timestamps: string[] = [];
  readonly #instants: number[] = [];
  readonly #values: (string | null)[] = [];
  readonly #ratio: { over: number[]; under: number[]; most: number };

  /** `most`: that no ratio exceeds, whatever the rounding. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#ratio = { over: [], under: [], most };
  }

  /** Null if a part is missing, or what it is divided by is not above zero. */
  addRatio(at: Pick<AlignedPoints, "instant" | "timestamp">, { over, under, value }: RatioParts): void {
    const ratio = under > 0 ? Math.min(over / under, this.#ratio.most) : Number.NaN;
    const isKnown = !Number.isNaN(over) && !Number.isNaN(under);
    const made = Number.isFinite(ratio) ? String(ratio + 0) : null;
    this.add(at, value === undefined ? made : value, isKnown ? { over, under } : UNKNOWN);
  }

  /** `parts`: what was divided by what, if the value is a ratio. */
  add(
    { instant, timestamp }: Pick<AlignedPoints, "instant" | "timestamp">,
    value: string | null,
    parts?: RatioParts,
  ): void {
    this.#timestamps.push(timestamp);
    this.#instants.push(instant);
    this.#values.push(value);
    if (!parts) return;
    this.#ratio.over.push(parts.over);
    this.#ratio.under.push(parts.under);
  }

  get points(): Points {
    const points = { timestamps: this.#timestamps, instants: this.#instants, values: this.#values };
    return this.#ratio.over.length === 0 ? points : { ...points, ratio: this.#ratio };
  }
}
