/** What an output that is continued keeps of its description. */
import type { JsonObject } from "../../base/json.ts";
import { findNetwork, INTERVALS, isInterval } from "../../base/vocabulary.ts";
import type { LoggedSeries } from "../../series/series-log.ts";
import { addBucket } from "../../time/buckets.ts";
import { MINUTE } from "../../time/local-time.ts";
import type { Again, Descriptor } from "./descriptor.ts";

/** Where the description of a file stands. */
export function findDescriptor(output: string): string {
  return `${output}.datapackage.json`;
}

/** The part of an output that a run leaves unchanged. */
export interface Kept {
  /** All its rows are before this instant, in milliseconds since 1970 UTC. */
  readonly until: number;
  readonly rows: number;
  /** Undefined where the output had none. */
  readonly descriptor: Descriptor | undefined;
  readonly again?: Again | undefined;
  /** Rows from this instant on may not be as they would be now. */
  readonly unlikeSince?: number | undefined;
}

/** The series that begin in it, up to its end: those that go on after it are withdrawn until their points come. */
export function listKeptSeries(kept: Kept | undefined): readonly LoggedSeries[] {
  if (!kept?.descriptor) return [];
  const { until, descriptor } = kept;
  return descriptor.series
    .filter(({ first }) => first < until)
    .map((one) => (one.last < until ? one : { ...one, last: cutLast(one, until, descriptor), withdrawn: true }));
}

/** The last bucket before an instant, without a look at the rows: of a series that had a gap there, it is another one. */
function cutLast({ first, last, network }: LoggedSeries, until: number, { origin: { interval } }: Descriptor): number {
  if (typeof interval !== "string" || !isInterval(interval)) return last;
  const { bucket } = INTERVALS[interval];
  if ("ms" in bucket) return last - Math.ceil((last - until + 1) / bucket.ms) * bucket.ms;
  const offset = (findNetwork(network)?.offsetMinutes ?? 0) * MINUTE;
  let before = last + offset;
  while (before - offset >= until) before = addBucket({ ...bucket, months: -bucket.months }, before);
  return Math.max(first, before - offset);
}

/** Before the first gap of it that may lack nulls; all of it, of a service that did not fill gaps. */
export function findUnfilled(kept: Kept | undefined): number | undefined {
  if (!kept?.descriptor) return undefined;
  const { fillsGaps, unfilledSince, series } = kept.descriptor;
  const since = fillsGaps === false ? findFirst(series) : Math.min(unfilledSince ?? kept.until, kept.unlikeSince ?? kept.until);
  return since < kept.until ? since : undefined;
}

/** Whether it has nulls that the service, or ents, has filled gaps with. */
export function keepsFilled(kept: Kept | undefined): boolean {
  return kept?.descriptor?.fillsGaps === true && Number.isFinite(kept.until);
}

/** The first point of all; Infinity without any. */
export function findFirst(series: readonly LoggedSeries[]): number {
  return series.reduce((earliest, { first }) => Math.min(earliest, first), Number.POSITIVE_INFINITY);
}

/** The last point of all; -Infinity without any. */
export function findLast(series: readonly LoggedSeries[]): number {
  return series.reduce((latest, { last }) => Math.max(latest, last), Number.NEGATIVE_INFINITY);
}

/** The requests that rows of it are from. */
export function listKeptRequests(kept: Kept | undefined): readonly JsonObject[] {
  if (!kept?.descriptor) return [];
  return kept.descriptor.requests.filter(({ rows_from: from }) => typeof from === "string" && Date.parse(from) < kept.until);
}
