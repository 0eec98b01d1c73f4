/** Which buckets of an answer have ended. */
import type { AnswerHead } from "../../series/answer.ts";
import { lowerBound } from "../../series/point-operations.ts";
import type { Points } from "../../series/points.ts";
import { findLastInstant, hasInstant } from "../../series/settle.ts";
import type { TimeSeries } from "../../series/time-series.ts";
import { parseStamp } from "../../time/stamp.ts";
import type { Calendar } from "./calendar.ts";

/** What says what time it is; instants in milliseconds since 1970 UTC. */
export interface Evidence {
  /** The service's clock, when it made the answer; undefined where it does not say. */
  readonly created: number | undefined;
  /** This machine's clock, when the answer was requested: it may be long on its way. */
  readonly now: number;
  /** Whether later buckets come in another chunk of the same round. */
  readonly continues: boolean;
}

/** The timestamp of the first bucket that has not ended; Infinity where all have. */
export function findUnended(timeSeries: readonly TimeSeries[], calendar: Pick<Calendar, "endOf" | "goBack">, evidence: Evidence): number {
  const time = findTime(evidence, findLastInstant(timeSeries), calendar);
  let unended = Number.POSITIVE_INFINITY;
  for (const { instants } of listPoints(timeSeries)) {
    for (let index = instants.length - 1; index >= 0 && calendar.endOf(instants[index] as number) > time; index--) {
      unended = Math.min(unended, instants[index] as number);
    }
  }
  return unended;
}

/**
 * The time by which buckets have ended: that of the earlier clock, as the other may be ahead. Where the newest bucket is nearer
 * to the other, the earlier one is behind; but the newest bucket may be a forecast of the next one: so the one before it has
 * begun. Where there is one clock, the newest bucket must have begun by its word and by its own.
 */
function findTime({ created, now, continues }: Evidence, last: number, { goBack }: Pick<Calendar, "goBack">): number {
  const [earlier, later] = [Math.min(created ?? now, now), Math.max(created ?? now, now)];
  const [begun, newest] = continues ? [later, later] : [goBack(last, 1), last];
  if (created === undefined) return Math.min(now, newest);
  const isBehind = begun <= later && Math.abs(later - newest) < newest - earlier;
  return isBehind ? Math.max(earlier, begun) : earlier;
}

/** Whether a series that has the bucket before does not have this one. */
export function lacksSeries(timeSeries: readonly TimeSeries[], instant: number): boolean {
  const all = listPoints(timeSeries);
  const before = all.reduce((latest, points) => Math.max(latest, findBefore(points, instant)), Number.NEGATIVE_INFINITY);
  return all.some((points) => findBefore(points, instant) === before && !hasInstant(points, instant) && Number.isFinite(before));
}

/** When the service made the answers: the earliest of them. */
export function findCreated(heads: readonly AnswerHead[]): number | undefined {
  const stamps = heads.filter(({ hasData }) => hasData).map(({ envelope }) => envelope["created_at"]);
  // In UTC, where it does not say otherwise (v4.md).
  const instants = stamps.map((stamp) => (typeof stamp === "string" ? parseStamp(stamp, "Z") : undefined));
  return instants.reduce(earlierOf, undefined);
}

function earlierOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

function findBefore(points: Points, instant: number): number {
  return points.instants[lowerBound(points, instant) - 1] ?? Number.NEGATIVE_INFINITY;
}

function listPoints(timeSeries: readonly TimeSeries[]): Points[] {
  return timeSeries.flatMap(({ series }) => series.map(({ points }) => points));
}
