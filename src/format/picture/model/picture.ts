/** A picture of series as a plain value: marks, panels, colours and texts. Painters decide positions and sizes. */
import type { Interval } from "../../../base/vocabulary.ts";
import type { Query } from "../../../query/query.ts";
import type { UnitFacts } from "../../../series/fuels.ts";
import type { NumberLine } from "../../../series/number-line.ts";
import type { Zone } from "../../../time/zone.ts";

/** What the picture is about, besides its series. */
export interface Subject {
  readonly zone: Zone;
  /** Undefined for library users. */
  readonly query?: Query | undefined;
  readonly isSynthetic?: boolean | undefined;
  readonly units?: UnitFacts | undefined;
  /** Maximum number of legend entries, at least 3; by default as many as fit on a page. */
  readonly maxEntries?: number | undefined;
}

/** Texts contain no control characters; painters escape them for their output. */
export interface Picture {
  /** `Power by fueltech, NSW1` */
  readonly title: string;
  /** Network, period, interval and zone. */
  readonly subtitle: string;
  readonly time: TimeAxis;
  /** One per unit, from top to bottom; empty if there are no points. */
  readonly panels: readonly Panel[];
  /** Notes about all panels. */
  readonly notes: readonly string[];
}

/**
 * The time axis that all panels share. Positions are instants, in milliseconds since 1970 UTC, so an hour that the clock shows
 * twice takes two hours. Texts show the wall clock of the requested zone.
 */
export interface TimeAxis {
  /** From the first point to the last or, with columns, to the end of the last bucket. Never empty. */
  readonly domain: readonly [start: number, end: number];
  /** Returns the wall clock at an instant, in milliseconds as if it were UTC. */
  readonly toWallClock: (instant: number) => number;
  /** Undefined if the service names no interval that ents knows. */
  readonly interval: Interval | undefined;
  /** The buckets, if columns are drawn. */
  readonly buckets?: ColumnSpans | undefined;
}

/** Arrays of equal length. */
export interface ColumnSpans {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Areas and columns are stacked away from the axis, negative values below it. */
export type Mark = "line" | "area" | "column";

export interface Panel {
  /** The metrics: `Price`. */
  readonly title: string;
  /** Of the values here: the service's unit or a larger one, such as GW. */
  readonly unit: string;
  readonly mark: Mark;
  /** The unrounded extent of the drawn values; for stacks, of their sums. Never empty. */
  readonly domain: readonly [low: number, high: number];
  /** In stacking order from the axis outwards, or else in canonical order. In a stack, all have the same `times`. */
  readonly series: readonly PictureSeries[];
  /** The ends of the buckets drawn as columns, parallel to `times`. */
  readonly ends?: Float64Array | undefined;
  /** Notes on values that were left out or drawn differently. */
  readonly notes: readonly string[];
}

export interface PictureSeries extends NumberLine {
  readonly name: string;
  /** `#rrggbb` */
  readonly colour: string;
  readonly figures: Figures;
}

/** Figures of the legend; undefined if a series has no value. */
export interface Figures {
  readonly last: number | undefined;
  readonly mean: number | undefined;
  /** In a stack: its sum as a fraction of the sum of all series above the axis, 0 to 1; negative below it. */
  readonly share?: number | undefined;
}
