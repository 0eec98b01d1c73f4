/** The data of a page, which its script reads (browser/script.ts). */
export interface PageData {
  /** One legend serves all panels. */
  readonly sharesLegend: boolean;
  /** UTC offsets of the wall clock in milliseconds, each from an instant on. */
  readonly clock: readonly (readonly [from: number, ahead: number])[];
  /** Characters of `2026-11-20 18:05` that are shown. */
  readonly timeLength: number;
  /** What people call intervals, by instant, where that is no date: `FY2025`. */
  readonly names: Readonly<Record<number, string>>;
  readonly panels: readonly PagePanel[];
  /** Distinct lists of instants. */
  readonly times: readonly PackedTimes[];
  /** The same picture in several widths. */
  readonly views: readonly { readonly plots: readonly PagePlot[] }[];
}

/** The first instant, then runs: the step and how often it repeats. */
export type PackedTimes = readonly [first: number, ...runs: (readonly [step: number, count: number])[]];

export interface PagePanel {
  readonly unit: string;
  readonly digits: number;
  readonly isColumns: boolean;
  readonly isLinear: boolean;
  readonly addsUp: boolean;
  /** Indexes of series, as in the legend. */
  readonly order: readonly number[];
  readonly series: readonly PageSeries[];
}

interface PageSeries {
  readonly name: string;
  /** The index of its list of instants. */
  readonly times: number;
  readonly values: readonly (number | null)[];
}

/** Two instants or values, and their positions. */
export type ScaleSpan = readonly [first: number, second: number, from: number, to: number];

/** A panel in one view, in its pixels. */
export interface PagePlot {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly height: number;
  readonly x: ScaleSpan;
  readonly y: ScaleSpan;
  /** The number of values on the axis. */
  readonly ticks: number;
  readonly stack?: PageStack | undefined;
}

/** What is drawn of a stack: fewer points than there are, if they are closer than pixels. */
export interface PageStack {
  readonly starts: readonly number[];
  /** Empty for areas. */
  readonly ends: readonly number[];
  readonly values: readonly (readonly (number | null)[])[];
}
