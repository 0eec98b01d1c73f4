import type { Encoding } from "../format/encode.ts";
import type { TimeSeries } from "../series/time-series.ts";

/** Sees a result while it is written. */
export interface Observer extends Pick<Encoding, "onChunk" | "onPrinted" | "onColumns" | "onRows"> {
  /** Called with series of a dataset that this run does not read as a whole: their first and last points, without values. */
  readonly onKept?: (timeSeries: readonly TimeSeries[]) => void;
  /**
   * Called when the output is complete. @throws {EntsError} incomplete: the output does not meet the flags'
   * requirements; output.
   */
  readonly finish?: () => void | Promise<void>;
}

/** The encoding, with its callbacks also passed on to the observers. */
export function addObservers<T extends Observer>(encoding: T, ...observers: readonly (Observer | undefined)[]): T {
  const all = [encoding, ...observers];
  return {
    ...encoding,
    onChunk: (chunk) => {
      for (const one of all) one?.onChunk?.(chunk);
    },
    onPrinted: (chunk) => {
      for (const one of all) one?.onPrinted?.(chunk);
    },
    onColumns: (columns) => {
      for (const one of all) one?.onColumns?.(columns);
    },
    onRows: (rows) => {
      for (const one of all) one?.onRows?.(rows);
    },
  };
}
