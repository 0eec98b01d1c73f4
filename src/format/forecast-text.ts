/** What tables and pictures say of forecasts. */
import { listRuns } from "../series/forecast-runs.ts";
import type { TimeSeries } from "../series/time-series.ts";
import { formatMinute } from "../time/local-time.ts";
import { findSentOffset, parseTimestamp } from "../time/timestamp.ts";
import type { Zone } from "../time/zone.ts";

/** `issued 2026-11-27 04:30`, `issued 2026-11-26 00:00 to 2026-11-27 04:30`; undefined if the service does not say. */
export function describeRuns(timeSeries: readonly TimeSeries[], zone: Zone): string | undefined {
  const runs = listRuns(timeSeries).flatMap((run) => {
    const instant = run === null ? undefined : parseTimestamp(run, "Z");
    return run === null || instant === undefined ? [] : [formatMinute(zone.toWallClock(instant, findSentOffset(run)))];
  });
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined) return undefined;
  return first === last ? `issued ${first}` : `issued ${first} to ${last}`;
}
