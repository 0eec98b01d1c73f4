/** The partitions of a dataset: periods of network time, in folders that are named as Hive does. */
import { dirname } from "node:path/posix";
import type { Interval } from "../../../base/vocabulary.ts";
import { describeFormat, type FormatName } from "../../../format/registry.ts";
import { findFirstInstant, splitTimeSeries } from "../../../series/overlap.ts";
import type { TimeSeries } from "../../../series/time-series.ts";
import { bucketStart, nextBucketStart } from "../../../time/buckets.ts";
import { formatLocalTime, type LocalTime } from "../../../time/local-time.ts";
import type { Period } from "../target.ts";

const BUCKETS = { year: "1y", month: "1M", day: "1d" } as const satisfies Record<Period, Interval>;

export function partitionStart(period: Period, local: LocalTime): LocalTime {
  return bucketStart(BUCKETS[period], local);
}

/** The starts of those from one time to another, both included. */
export function* listPartitions(period: Period, first: LocalTime, last: LocalTime): Generator<LocalTime> {
  for (let start = partitionStart(period, first); start <= last; start = nextBucketStart(BUCKETS[period], start)) yield start;
}

/** `year=2025/month=01` */
function nameFolder(period: Period, start: LocalTime): string {
  const [year, month, day] = formatLocalTime(start).slice(0, 10).split("-");
  return [`year=${year}`, `month=${month}`, `day=${day}`].slice(0, Object.keys(BUCKETS).indexOf(period) + 1).join("/");
}

/** `year=2025/month=01/data.parquet` */
export function nameFile(period: Period, start: LocalTime, name: string): string {
  return `${nameFolder(period, start)}/${name}`;
}

/** `data.parquet` */
export function nameData(format: FormatName): string {
  return `data.${describeFormat(format).extensions[0]}`;
}

/** Whether it is the path of a file that a dataset has. */
export function isPartition(path: string): boolean {
  return /^year=\d{4}(\/month=\d\d(\/day=\d\d)?)?\/data\.\w+$/.test(path);
}

/** The folder of a file: `year=2025/month=01`. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The folders of a path, the innermost first, and `.`. */
export function listFolders(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [folder] : [folder, ...listFolders(folder)];
}

export interface PartitionPart {
  readonly start: LocalTime;
  readonly timeSeries: readonly TimeSeries[];
}

/** A bucket is in the partition in which it starts. `offset`: milliseconds by which network time is ahead of UTC. */
export function* splitPartitions(timeSeries: readonly TimeSeries[], period: Period, offset: number): Generator<PartitionPart> {
  for (let rest = timeSeries; ; ) {
    const first = findFirstInstant(rest);
    if (!Number.isFinite(first)) return;
    const start = partitionStart(period, first + offset);
    const [part, later] = splitTimeSeries(rest, nextBucketStart(BUCKETS[period], start) - offset);
    yield { start, timeSeries: part };
    rest = later;
  }
}
