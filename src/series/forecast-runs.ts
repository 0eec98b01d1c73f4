/**
 * The runs of forecasts. A response names one run for all points of a TimeSeries, the newest that was used; once
 * responses are merged, each series knows which run each of its points came from.
 */
import { isObject, type Json, type JsonObject } from "../base/json.ts";
import { parseTimestamp } from "../time/timestamp.ts";
import { lowerBound, slicePoints, timestampAt } from "./point-operations.ts";
import type { Points } from "./points.ts";
import { DATE_RANGE, type RunSpan, type Series, type TimeSeries } from "./time-series.ts";

/** The service's field, and the column of rows. */
export const RUN_FIELD = "forecast_run_time";

/** The run that a response names for the points of a series. */
export function readRuns(fields: JsonObject, { instants }: Points): Pick<Series, "runs"> {
  const run = fields[RUN_FIELD];
  const [from, until] = [instants[0], instants.at(-1)];
  if (run === undefined || isObject(run) || from === undefined || until === undefined) return {};
  return { runs: [{ from, until, run: typeof run === "string" ? run : null }] };
}

type RunSeries = Pick<Series, "points" | "runs">;

/** The runs of series that become one. */
export function joinRuns(members: readonly RunSeries[]): Pick<Series, "runs"> {
  if (members.every(({ runs }) => runs === undefined)) return {};
  const parts = members.flatMap(splitByRun).flatMap(({ points, run }) => describePart(points, run));
  const isInOrder = parts.every(({ from }, index) => index === 0 || from > (parts[index - 1]?.until ?? 0));
  return { runs: mergeSpans(isInOrder ? parts : members.flatMap(listRunSpans).toSorted((a, b) => a.from - b.from)) };
}

function describePart({ instants }: Points, run: string | null): RunSpan[] {
  const [from, until] = [instants[0], instants.at(-1)];
  return from === undefined || until === undefined ? [] : [{ from, until, run }];
}

function listRunSpans(member: RunSeries): RunSpan[] {
  return splitByRun(member).flatMap(({ points, run }) =>
    Array.from(points.instants, (at) => ({ from: at, until: at, run })),
  );
}

function mergeSpans(spans: readonly RunSpan[]): RunSpan[] {
  const merged: RunSpan[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last?.run === span.run) merged[merged.length - 1] = { ...last, until: span.until };
    else merged.push(span);
  }
  return merged;
}

interface RunPart {
  readonly points: Points;
  readonly run: string | null;
}

/** The points of a series, in order, with their runs. */
export function splitByRun({ points, runs = [] }: RunSeries): RunPart[] {
  const parts: RunPart[] = [];
  let next = 0;
  const take = (end: number, run: string | null) => {
    if (end > next) parts.push({ points: slicePoints(points, next, end), run });
    next = Math.max(next, end);
  };
  for (const { from, until, run } of runs) {
    take(lowerBound(points, from), null);
    take(lowerBound(points, until + 1), run);
  }
  take(points.instants.length, null);
  return parts;
}

/** One TimeSeries for each run, as services send them; the same one if it has no forecasts, or only one run. */
export function splitItemByRun(item: TimeSeries): TimeSeries[] {
  if (item.series.every((series) => series.runs === undefined)) return [item];
  const runs = listRuns([item]);
  if (runs.length <= 1)
    return [{ ...item, fields: { ...item.fields, ...(runs[0] === undefined ? {} : { [RUN_FIELD]: runs[0] }) } }];
  const parts = item.series.map((series) => ({ series, byRun: splitByRun(series) }));
  return runs.map((run) => {
    const series = parts.flatMap(({ series: whole, byRun }) =>
      byRun
        .filter((part) => part.run === run)
        .map(({ points }) => ({ ...whole, points, fields: { ...whole.fields, ...findRange(whole.fields, [points]) } })),
    );
    const range = findRange(
      item.fields,
      series.map(({ points }) => points),
    );
    return { ...item, fields: { ...item.fields, ...range, [RUN_FIELD]: run }, series };
  });
}

/** The first and last timestamps of points, in the fields that the service has for them. */
function findRange(fields: JsonObject, all: readonly Points[]): Record<string, Json> {
  const ends = all.flatMap((points) =>
    [0, points.instants.length - 1].map((at) => ({
      at: points.instants[at] as number,
      timestamp: timestampAt(points, at),
    })),
  );
  ends.sort((a, b) => a.at - b.at);
  const [first, last] = [ends[0]?.timestamp ?? null, ends.at(-1)?.timestamp ?? null];
  return Object.fromEntries(
    DATE_RANGE.filter((name) => name in fields).map((name) => [name, name.endsWith("start") ? first : last]),
  );
}

/** The runs that points came from, oldest first; null goes first. */
export function listRuns(timeSeries: readonly TimeSeries[]): (string | null)[] {
  const parts = timeSeries.flatMap(({ series }) => series.filter(({ runs }) => runs !== undefined).flatMap(splitByRun));
  return [...new Set(parts.map(({ run }) => run))].sort((a, b) => instantOf(a) - instantOf(b));
}

/** The newest of several runs. */
export function newestRun(runs: readonly (string | null)[]): string | null {
  return runs.toSorted((a, b) => instantOf(a) - instantOf(b)).at(-1) ?? null;
}

function instantOf(run: string | null): number {
  return (run === null ? undefined : parseTimestamp(run, "Z")) ?? Number.NEGATIVE_INFINITY;
}
