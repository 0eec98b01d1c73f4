import type { Metric } from "../../base/vocabulary.ts";
import type { Step } from "../model/clock.ts";
import type { Row } from "../model/rows.ts";
import type { SystemDay } from "../model/system.ts";

/** A day's values of one series; where `present` is 0, the value is null. */
export interface DayValues {
  readonly values: Row;
  readonly present: Uint8Array;
}

/** A series: its labels, lifetime, and values by day. */
export interface Series {
  readonly metric: Metric;
  /** The part of the name after the metric: `NSW1|coal_black`, `total`. */
  readonly label: string;
  readonly columns: Readonly<Record<string, string | boolean>>;
  /** First and last interval with data; gaps between them are null. */
  readonly first: Step;
  readonly last: Step;
  /** Adds the day's integers (see measures.ts) to zeroed values. */
  fill(day: SystemDay, into: DayValues): void;
}

/** The shortest lifetime that contains all of `lives`. */
export function joinLives(lives: readonly { readonly first: Step; readonly last: Step }[]): { first: Step; last: Step } {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const life of lives) {
    first = Math.min(first, life.first);
    last = Math.max(last, life.last);
  }
  return { first, last };
}
