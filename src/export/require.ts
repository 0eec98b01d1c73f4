/** `--require-complete` and `--require-fresh`: check a result and report once the output is written. */
import { EntsError, usageError } from "../base/errors.ts";
import { formatCount, formatNumber } from "../base/phrases.ts";
import { createMomentPrinter, WallClockTime } from "../format/table/timestamps.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../options/query-options.ts";
import { UPKEEP_FLAGS, type UpkeepValues } from "../options/upkeep-options.ts";
import { isForecast } from "../base/vocabulary.ts";
import type { Plan } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import type { Interval } from "../base/intervals.ts";
import { type CountedIntervals, Coverage, type Newest } from "../series/intervals/count.ts";
import { EachCoverage } from "../series/intervals/each.ts";
import type { ServiceClock } from "../source/service-clock.ts";
import { subtractDuration, type Duration, formatDuration } from "../time/duration.ts";
import { formatMinute, formatOffset, MINUTE } from "../time/local-time.ts";
import { ANALYSIS_FLAG_NAMES } from "../format/analysis-flags.ts";
import { countBeyond, describeValueLimits, type ValueLimits } from "../series/analyses/pick.ts";
import { dropFigures } from "../series/time-series.ts";
import type { Observer } from "./observe.ts";

interface Required extends Pick<UpkeepValues, "requireComplete" | "requireCompleteEach" | "requireFresh"> {
  /** The name of an output that is a file or a folder. */
  readonly name?: string | undefined;
  /** Knows if this machine's clock is wrong. */
  readonly clock: Pick<ServiceClock, "correction">;
}

/** Fails, once all is written, if a value was picked. */
export function createAlarm(limits: ValueLimits, name: string | undefined): Observer {
  let count = 0;
  return {
    onPrinted: ({ analysis, timeSeries }) => {
      for (const { metric, series } of dropFigures(analysis?.picked ?? timeSeries))
        if (metric === limits.metric) for (const { points } of series) count += countBeyond(points, limits);
    },
    finish: () => {
      if (count === 0) return;
      const found = `${formatCount(count, "value")} of ${limits.metric} ${count === 1 ? "is" : "are"} ${describeValueLimits(limits)}`;
      throw new EntsError("incomplete", name === undefined ? found : `${name}: ${found}`, {
        hint: `the output is written; ${ANALYSIS_FLAG_NAMES.requireNone} asks for exit code 7 then`,
      });
    },
  };
}

/** @throws {EntsError} usage: the window has no start, so that its intervals are unknown. */
export function createRequirement({ query, now }: Pick<Plan, "query" | "now">, required: Required): Observer {
  const { name, requireComplete, requireCompleteEach, requireFresh, clock } = required;
  if (requireComplete && query.window.start === undefined)
    throw usageError(
      `${UPKEEP_FLAGS.requireComplete} needs the start of the window, to know which intervals are due`,
      `use ${QUERY_OPTIONS.dateStart.short} or ${QUERY_FLAGS.last}`,
    );
  const coverage = new Coverage(query, now);
  const each = requireCompleteEach ? new EachCoverage(query, now) : undefined;
  let doubt: string | undefined;
  return {
    onChunk: ({ timeSeries, unknown, incomplete }) => {
      doubt ??= unknown ? "the response has series of an unknown shape" : incomplete?.message;
      coverage.add(timeSeries);
      each?.add(timeSeries);
    },
    finish: () => {
      const problems = [
        requireComplete ? checkComplete(coverage, doubt) : undefined,
        each && checkEach(each, doubt),
        ...(requireFresh ? checkFresh(requireFresh, { query, coverage, now: now + clock.correction, doubt }) : []),
      ];
      const [first, ...others] = problems.filter((problem) => problem !== undefined);
      if (first !== undefined)
        throw new EntsError("incomplete", name === undefined ? first : `${name}: ${first}`, {
          hint: [...others, NEXT_STEP].join("\n"),
        });
    },
  };
}

const NEXT_STEP = "the output is written; services may publish late, so run the command again later";

function checkComplete(coverage: Coverage, doubt: string | undefined): string | undefined {
  const found = coverage.findEmpty();
  const why = doubt ?? (found ? undefined : "the response does not show where its intervals start and end");
  if (why !== undefined) return `cannot tell whether the result is complete: ${why}`;
  return found && found.empty > 0 ? describeEmpty(found) : undefined;
}

const MAX_SPANS = 5;

function describeEmpty({ all, empty, spans, interval }: CountedIntervals): string {
  const which = describeSpans(spans, empty, interval);
  return `${formatNumber(empty)} of ${formatCount(all, "interval")} ${empty === 1 ? "has" : "have"} no value: ${which}`;
}

/** `spans`: in network time. */
function describeSpans(spans: CountedIntervals["spans"], empty: number, interval: Interval): string {
  const shown = spans.slice(0, MAX_SPANS);
  const ends = shown.map(
    ({ first, last }) => [new WallClockTime(first, first), new WallClockTime(last, last)] as const,
  );
  const print = createMomentPrinter(ends.flat(), interval);
  const texts = ends.map((pair) => [...new Set(pair.map(print))].join(" to "));
  const others = shown.reduce((left, { count }) => left - count, empty);
  return [...texts, ...(others > 0 ? [`and ${formatCount(others, "more interval")}`] : [])].join(", ");
}

function checkEach(each: EachCoverage, doubt: string | undefined): string | undefined {
  const why = doubt ?? (each.isUnclear ? "the service's interval is unknown" : undefined);
  if (why !== undefined) return `cannot tell whether each series is complete: ${why}`;
  const [worst, ...others] = each.list();
  if (!worst) return undefined;
  const { name, empty, offset, interval } = worst;
  const spans = worst.spans.map(({ first, last, count }) => ({ first: first + offset, last: last + offset, count }));
  const more =
    others.length === 0
      ? ""
      : `; so ${others.length === 1 ? "does" : "do"} ${formatCount(others.length, "other series", "other series")}`;
  return `${name} lacks ${formatCount(empty, "interval")}: ${describeSpans(spans, empty, interval)}${more}`;
}

interface ResultInUse {
  readonly query: Pick<Query, "metrics">;
  readonly coverage: Pick<Coverage, "newest" | "newestRun">;
  readonly now: number;
  readonly doubt: string | undefined;
}

/** Measured data are as old as their newest value, forecasts as their newest run. */
function checkFresh(age: Duration, { query: { metrics }, coverage, now, doubt }: ResultInUse): (string | undefined)[] {
  const flag = `${UPKEEP_FLAGS.requireFresh} ${formatDuration(age)}`;
  const unknown = "cannot tell how old the newest forecast is: the service does not say when it was issued";
  const measured = {
    newest: coverage.newest,
    what: "the newest value",
    verb: "ends",
    otherwise: `there is no value, but ${flag} requires one`,
  };
  const forecast = { newest: coverage.newestRun, what: "the newest forecast", verb: "was issued", otherwise: unknown };
  return [
    metrics.every(isForecast) ? undefined : checkAge(age, { ...measured, now, doubt }),
    metrics.some(isForecast) ? checkAge(age, { ...forecast, now, doubt }) : undefined,
  ];
}

interface Aged extends Pick<ResultInUse, "now" | "doubt"> {
  readonly newest: Newest | undefined;
  readonly what: string;
  readonly verb: string;
  /** What is said if there is none. */
  readonly otherwise: string;
}

function checkAge(age: Duration, { newest, what, verb, otherwise, now, doubt }: Aged): string | undefined {
  const flag = `${UPKEEP_FLAGS.requireFresh} ${formatDuration(age)}`;
  if (newest === undefined) return doubt === undefined ? otherwise : `cannot tell how old ${what} is: ${doubt}`;
  const offset = newest.clockOffset * MINUTE;
  const since = subtractDuration(now + offset, age);
  const until = newest.end + offset;
  return until < since
    ? `${what} ${verb} at ${formatMinute(until)}; ${flag} requires ${formatMinute(since)} or later (UTC${formatOffset(newest.clockOffset)})`
    : undefined;
}
