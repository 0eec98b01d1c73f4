import type { Metric } from "../../base/vocabulary.ts";
import type { Span } from "../model/clock.ts";
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
  /** The part of the name after the metric: `NSW1|coal_black`, `total`. Series of one metric and label come as one result. */
  readonly label: string;
  readonly columns: Readonly<Record<string, string | boolean>>;
  /** When there are data. */
  readonly spans: readonly Span[];
  /** Adds the day's integers (see measures.ts) to zeroed values. */
  fill(day: SystemDay, into: DayValues): void;
}

/** The first and the last interval of a window (which may be empty) that any of the spans holds. */
export function clipSpans(spans: readonly Span[], window: Span): Span | undefined {
  const within = spans.filter(({ first, last }) => first <= window.last && last >= window.first);
  if (within.length === 0 || window.first > window.last) return undefined;
  return {
    first: Math.max(window.first, Math.min(...within.map(({ first }) => first))),
    last: Math.min(window.last, Math.max(...within.map(({ last }) => last))),
  };
}
