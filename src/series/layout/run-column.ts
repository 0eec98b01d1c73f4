/** The column `forecast_run_time`: rows are divided where the run of their forecast changes. */
import { groupBy } from "../../base/group-by.ts";
import { findSentOffset, parseTimestamp } from "../../time/timestamp.ts";
import type { TimestampPrinter } from "../../time/timestamp-printer.ts";
import { newestRun, RUN_FIELD } from "../forecast-runs.ts";
import { lowerBound, slicePoints } from "../point-operations.ts";
import type { RunSpan } from "../time-series.ts";
import { type Cell, type Column, type PlacedSeries, toTimeCell } from "./layout.ts";

export const RUN_COLUMN: Column = { name: RUN_FIELD, kind: "text", isTimestamp: true };

/**
 * Adds the run to the constants. Series that share rows are divided at the same instants, each part with a rank of its
 * own.
 */
export function addRuns(placed: readonly PlacedSeries[], printRun: TimestampPrinter): PlacedSeries[] {
  let rank = 0;
  return [...groupBy(placed, (series) => series.rank).values()].flatMap((sharing) => {
    const spans = uniteSpans(sharing.flatMap(({ source }) => source.series.runs ?? []));
    const parts = spans.length === 0 ? [{ ...EVER, run: null }] : spans;
    return parts.flatMap(({ from, until, run }) => {
      const cell = printCell(run, printRun);
      const divided = sharing.map((series) => ({
        ...series,
        rank,
        constants: [...series.constants, cell],
        points:
          parts.length === 1
            ? series.points
            : slicePoints(series.points, lowerBound(series.points, from), lowerBound(series.points, until + 1)),
      }));
      rank++;
      return divided;
    });
  });
}

const EVER = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** Spans without overlap that cover all time; if several runs cover an instant, the newest counts. */
function uniteSpans(all: readonly RunSpan[]): RunSpan[] {
  const distinct = [...new Map(all.map((span) => [`${span.from} ${span.until} ${span.run}`, span])).values()];
  const cuts = [...new Set(distinct.flatMap(({ from, until }) => [from, until + 1]))].sort((a, b) => a - b);
  if (cuts.length === 0) return [];
  const spans: RunSpan[] = [];
  for (const [index, from] of [EVER.from, ...cuts].entries()) {
    const until = (cuts[index] ?? EVER.until) - 1;
    const run = newestRun(distinct.filter((span) => span.from <= from && span.until >= until).map((span) => span.run));
    const last = spans.at(-1);
    if (last?.run === run) spans[spans.length - 1] = { ...last, until };
    else spans.push({ from, until, run });
  }
  return spans;
}

function printCell(run: string | null, printRun: TimestampPrinter): Cell {
  const instant = run === null ? undefined : parseTimestamp(run, "Z");
  if (run === null || instant === undefined) return run;
  return toTimeCell(printRun(run, instant, findSentOffset(run)));
}
