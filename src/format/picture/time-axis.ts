import { HOUR } from "../../time/local-time.ts";
import { findInterval, findClockOffset, type TimeSeries } from "../../series/time-series.ts";
import type { Zone } from "../../time/zone.ts";
import type { Panel, TimeAxis } from "./picture.ts";

/** The time axis of all panels. */
export function findTimeAxis(panels: readonly Panel[], timeSeries: readonly TimeSeries[], zone: Zone): TimeAxis {
  const [first] = timeSeries;
  const columns = panels.find(({ ends }) => ends !== undefined);
  const offset = first ? findClockOffset(first) : 0;
  return {
    domain: findDomain(panels),
    toWallClock: (instant) => zone.toWallClock(instant, offset),
    interval: first && findInterval(first),
    ...(columns?.ends && columns.series[0] ? { buckets: { starts: columns.series[0].times, ends: columns.ends } } : {}),
  };
}

function findDomain(panels: readonly Panel[]): [number, number] {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const { series, ends } of panels) {
    for (const { times } of series) {
      start = Math.min(start, times[0] ?? start);
      end = Math.max(end, times.at(-1) ?? end, ends?.at(-1) ?? end);
    }
  }
  if (start > end) return [0, HOUR];
  return start === end ? [start - HOUR, end + HOUR] : [start, end];
}
