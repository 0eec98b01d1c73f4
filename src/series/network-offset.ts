import { findNetwork } from "../base/vocabulary.ts";
import { MINUTE } from "../time/local-time.ts";
import { parseStamp } from "../time/stamp.ts";
import { stampAt } from "./point-operations.ts";
import type { TimeSeries } from "./time-series.ts";

/** Milliseconds by which network time is ahead of UTC; undefined for an unknown network whose answer does not say. */
export function findOffsetMs(network: string, timeSeries: readonly TimeSeries[]): number | undefined {
  const known = findNetwork(network)?.offsetMinutes;
  if (known !== undefined) return known * MINUTE;
  const filled = timeSeries.flatMap(({ series }) => series).find(({ points }) => points.instants.length > 0);
  const sent = timeSeries[0]?.fields["network_timezone_offset"] ?? (filled && stampAt(filled.points, 0));
  const offset = typeof sent === "string" ? OFFSET.exec(sent)?.[0] : undefined;
  const epoch = offset === undefined ? undefined : parseStamp("1970-01-01", offset);
  return epoch === undefined ? undefined : -epoch;
}

const OFFSET = /[+-]\d\d:\d\d$/;
