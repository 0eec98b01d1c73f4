import { bucketStartBy } from "../time/buckets.ts";
import { MINUTE } from "../time/local-time.ts";
import { type BucketRule, findNetwork, INTERVALS, type Interval } from "../base/vocabulary.ts";
import type { Query } from "../query/query.ts";

/** Series per grouping without a filter: those of NEM on the public service. */
const TYPICAL_SERIES: Readonly<Record<string, number>> = { fueltech: 14, fueltech_group: 10, status: 2, renewable: 2 };
const UNITS_PER_FACILITY = 2;

/**
 * Estimates the points of a query: buckets × metrics × series. Undefined if the service chooses interval or window, or
 * if the number of series is unknown (all facilities of a network).
 */
export function estimatePoints(query: Query, now: number): number | undefined {
  const buckets = estimateBuckets(query, now);
  const series = estimateSeries(query);
  return buckets === undefined || series === undefined ? undefined : buckets * query.metrics.length * series;
}

/** The buckets of a query's window; undefined if the service chooses interval or window. */
export function estimateBuckets({ interval, window, network }: Query, now: number): number | undefined {
  if (interval === undefined || window.start === undefined) return undefined;
  return countBuckets(interval, window.start, window.end ?? now + (findNetwork(network)?.offsetMinutes ?? 0) * MINUTE);
}

/** Buckets that overlap a window, both ends inclusive. */
export function countBuckets(interval: Interval, start: number, end: number): number {
  return countBucketsBy(INTERVALS[interval].bucket, start, end);
}

/** Buckets of a service whose buckets may start elsewhere. */
export function countBucketsBy(rule: BucketRule, start: number, end: number): number {
  if (end < start) return 0;
  const [first, last] = [bucketStartBy(rule, start), bucketStartBy(rule, end)];
  if ("ms" in rule) return 1 + (last - first) / rule.ms;
  const { months, shift = 0 } = rule;
  return 1 + (countMonths(last - shift) - countMonths(first - shift)) / months;
}

function countMonths(local: number): number {
  const date = new Date(local);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function estimateSeries(query: Query): number | undefined {
  const count = (name: string) => query.parameters.find((parameter) => parameter.name === name)?.values.length;
  const value = (name: string) => query.parameters.find((parameter) => parameter.name === name)?.values[0];
  if (query.command === "facilities") {
    const facilities = count("facility_code");
    return count("unit_code") ?? (facilities === undefined ? undefined : facilities * UNITS_PER_FACILITY);
  }
  const regions = value("primary_grouping") === "network_region" && count("network_region") === undefined;
  const regionCount = regions ? Math.max(1, findNetwork(query.network)?.regions.length ?? 1) : 1;
  return regionCount * (count("fueltech") ?? count("fueltech_group") ?? TYPICAL_SERIES[value("secondary_grouping") ?? ""] ?? 1);
}
