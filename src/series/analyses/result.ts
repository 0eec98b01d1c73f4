import type { Table } from "../layout/layout.ts";
import type { TimeSeries } from "../time-series.ts";

/** The label that series of several periods have. */
export const PERIOD_LABEL = "period";

export interface TextWidth {
  /** In characters. */
  readonly width: number;
  /** Text for a figure that is missing. */
  readonly none: string;
}

/** What an analysis adds to the series that it yields. */
export interface AnalysisResult {
  /** Of a picture that shows all points: those to be marked. */
  readonly picked?: readonly TimeSeries[];
  /** What is printed in place of the series. */
  readonly table?: Table;
  /** The same as text, for people. */
  readonly lines?: ((page: TextWidth) => Iterable<string>) | undefined;
  /** What the values are: `mean by time of day, 1 to 31 Jan 2025`. */
  readonly about?: string;
  /** Said once. */
  readonly note?: string;
  /** The periods of `--per` in order of time, and what they are: `month`. */
  readonly periods?: { readonly names: readonly string[]; readonly of: string };
  /** True if the periods are values so long before, and the values themselves. */
  readonly isComparison?: boolean;
  /** What a picture has in place of the time axis. */
  readonly axis?: "day" | "week" | "year" | "share";
}
