/** What an export came to, as text. */
import { formatCount, formatNumber } from "../base/numbers.ts";
import { formatBytes } from "../base/sizes.ts";
import type { KeptIn } from "../source/source.ts";
import { formatAge } from "../time/duration.ts";
import { formatSeconds } from "./progress-line.ts";

/** A finished file. */
export interface Written {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** What is counted in it. */
  readonly unit: "row" | "point";
}

export interface Count extends Readonly<Record<"service" | KeptIn, number>> {
  /** Requests in all, with a look across a gap once it is answered; those that are done are counted by where their answers are from. */
  readonly planned: number;
  /** When the oldest answer of the cache was received, in milliseconds since 1970 UTC. */
  readonly oldestCached: number;
  readonly points: number;
  readonly rows: number;
  readonly retries: number;
}

export function describeSum(count: Count, seconds: number): string {
  const { service, retries, points } = count;
  const retried = retries > 0 ? [formatCount(retries, "retry", "retries")] : [];
  const parts = [`${formatCount(service, "request")} answered`, ...describeKept(count), ...retried, formatCount(points, "point")];
  return [...parts, `${seconds.toFixed(1)} s`].join(", ");
}

export function describeWritten({ name, size, unit }: Written, count: Count, seconds: number): string {
  const parts = [
    formatCount(count.rows || count.points, unit),
    formatBytes(size),
    formatCount(count.service, "request"),
    ...describeKept(count),
    seconds < 10 ? `${seconds.toFixed(1)} s` : formatSeconds(seconds),
  ];
  return `wrote ${name}: ${parts.join(", ")}`;
}

function describeKept({ checkpoint, cache }: Count): string[] {
  return [
    ...(checkpoint > 0 ? [`${formatNumber(checkpoint)} reused from an earlier run`] : []),
    ...(cache > 0 ? [`${formatNumber(cache)} from the cache`] : []),
  ];
}

/** `12 of 14 answers are from the cache, the oldest 3h old` */
export function describeCached({ cache, planned, oldestCached }: Count, now: number): string {
  const age = `${formatAge(now - oldestCached)} old`;
  if (planned === 1) return `the answer is from the cache, ${age}`;
  const share = `${formatNumber(cache)} of ${formatNumber(planned)} answers`;
  return cache === 1 ? `${share} is from the cache, ${age}` : `${share} are from the cache, the oldest ${age}`;
}
