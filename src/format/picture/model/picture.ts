/** A picture of series as a value: what is drawn, in which panels, colours and words. Painters decide where and how large. */
import type { Interval } from "../../../base/vocabulary.ts";
import type { Query } from "../../../query/query.ts";
import type { Zone } from "../../../time/zone.ts";

/** What the series are of. */
export interface Subject {
  readonly zone: Zone;
  /** Undefined for users of the library. */
  readonly query?: Query | undefined;
  /** Whether the data are invented. */
  readonly isSynthetic?: boolean | undefined;
  /** The most entries of a legend, at least 3; undefined for what a page has room for. */
  readonly maxEntries?: number | undefined;
}

/** All texts are without control characters; painters escape what their language asks for. */
export interface Picture {
  /** `Power by fueltech, NSW1` */
  readonly title: string;
  /** Network, period, interval and zone. */
  readonly subtitle: string;
  readonly time: TimeAxis;
  /** One per unit, one under the other; none if there are no points. */
  readonly panels: readonly Panel[];
  /** What was left out or drawn in another way. */
  readonly notes: readonly string[];
}

/**
 * The time axis that all panels share. Positions are instants, in milliseconds since 1970 UTC: an hour that a clock shows
 * twice takes two hours. Texts are of the wall clock in the zone that was asked for.
 */
export interface TimeAxis {
  /** From the first point to the last; of columns, to the end of the last bucket. Never empty. */
  readonly domain: readonly [start: number, end: number];
  /** An instant on the wall clock, in milliseconds as if that were UTC. */
  readonly toWallClock: (instant: number) => number;
  /** Undefined if the service names none that ents knows. */
  readonly interval: Interval | undefined;
  /** Where columns are drawn: their buckets. */
  readonly buckets?: ColumnSpans | undefined;
}

/** Columns of equal length, in milliseconds since 1970 UTC. */
export interface ColumnSpans {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Areas and columns are stacked, away from the axis: what is negative below it. */
export type Mark = "line" | "area" | "column";

export interface Panel {
  /** The metrics: `Price`. */
  readonly title: string;
  readonly unit: string;
  readonly mark: Mark;
  /** The extent of what is drawn, of stacks as sums; not rounded. Never empty. */
  readonly domain: readonly [low: number, high: number];
  /** In stacking order, from the axis outwards, else in canonical order. In a stack all have the same `times`. */
  readonly series: readonly PictureSeries[];
  /** The end of each bucket that is drawn as a column, beside `times`. */
  readonly ends?: Float64Array | undefined;
}

export interface PictureSeries {
  readonly name: string;
  /** `#rrggbb` */
  readonly colour: string;
  /** Instants, ascending. */
  readonly times: Float64Array;
  /** NaN where there is no value: a gap. */
  readonly values: Float64Array;
  readonly figures: Figures;
}

/** The figures of the legend; undefined if a series has no value. */
export interface Figures {
  /** The latest value. */
  readonly last: number | undefined;
  readonly mean: number | undefined;
  /** In a stack: its sum as a part of the sum of all that is above the axis, 0 to 1, negative below it. */
  readonly share?: number | undefined;
}
