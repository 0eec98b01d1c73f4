/** The partitions of a dataset: periods of network time, in folders named as in Hive. */
import { dirname } from "node:path/posix";
import type { Interval } from "../../../base/intervals.ts";
import { describeFormat, type FormatName } from "../../../format/registry.ts";
import { findFirstInstant, splitTimeSeries } from "../../../series/overlap.ts";
import type { TimeSeries } from "../../../series/time-series.ts";
import { intervalStart, nextIntervalStart } from "../../../time/calendar.ts";
import { formatLocalTime, type LocalTime } from "../../../time/local-time.ts";
import type { Span } from "../../../store/segments.ts";
import type { Period } from "../target.ts";

/** File name of the description, in the root of a dataset. */
export const DESCRIPTOR = "_datapackage.json";

const PARTS = { year: "1y", month: "1M", day: "1d" } as const satisfies Record<Period, Interval>;

function partitionStart(period: Period, local: LocalTime): LocalTime {
  return intervalStart(PARTS[period], local);
}

/** The time of the partition that has a time. */
export function spanOfPartition(period: Period, local: LocalTime): Span {
  const from = partitionStart(period, local);
  return { from, until: nextIntervalStart(PARTS[period], from) };
}

/** The time of the partition that a file has. */
export function spanOfFile(path: string): Span {
  const [year = 0, month = 1, day = 1] = path.split("/").flatMap((name) => Number(/=(\d+)$/.exec(name)?.[1]) || []);
  const period = Object.keys(PARTS)[path.split("/").length - 2] as Period;
  return spanOfPartition(period, Date.UTC(year, month - 1, day));
}

/** `year=2025/month=01/data.parquet` */
export function nameFile(period: Period, start: LocalTime, name: string): string {
  const [year, month, day] = formatLocalTime(start).slice(0, 10).split("-");
  const folders = [`year=${year}`, `month=${month}`, `day=${day}`].slice(0, Object.keys(PARTS).indexOf(period) + 1);
  return [...folders, name].join("/");
}

/** `data.parquet` */
export function nameData(format: FormatName): string {
  return `data.${describeFormat(format).extensions[0]}`;
}

/** True if the path could be that of a file in a dataset. */
export function isPartition(path: string): boolean {
  return /^year=\d{4}(\/month=\d\d(\/day=\d\d)?)?\/data\.\w+$/.test(path);
}

/** The folders of a path, innermost first, and finally `.`. */
export function listParents(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [folder] : [folder, ...listParents(folder)];
}

/**
 * Puts each interval into the partition in which it starts. `offset`: milliseconds by which network time is ahead of
 * UTC.
 */
export function* splitPartitions(
  timeSeries: readonly TimeSeries[],
  period: Period,
  offset: number,
): Generator<{ readonly start: LocalTime; readonly timeSeries: readonly TimeSeries[] }> {
  for (let rest = timeSeries; ; ) {
    const first = findFirstInstant(rest);
    if (!Number.isFinite(first)) return;
    const start = partitionStart(period, first + offset);
    const [part, later] = splitTimeSeries(rest, nextIntervalStart(PARTS[period], start) - offset);
    yield { start, timeSeries: part };
    rest = later;
  }
}
