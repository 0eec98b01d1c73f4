import { findIntervalEnd } from "../../series/layout/interval-end.ts";
import type { TimedRow } from "../../series/layout/rows.ts";
import type { Zone } from "../../time/zones.ts";
import type { TimeData } from "./column-data.ts";

/** What decides the wall clock and the end of a bucket. */
type TimedSeries = Pick<TimedRow, "networkOffset" | "interval">;

/** Sets the times of a row: instant, wall clock, and end where there is a column for it. Most rows have the times of the row before. */
export function createClock([instants, wallClocks, ends]: readonly TimeData[], zone: Zone) {
  let last: (TimedSeries & { readonly instant: number }) | undefined;
  let [micros, wallClock, end]: (bigint | undefined)[] = [];
  return (row: number, instant: number, { networkOffset, interval }: TimedSeries): void => {
    if (last?.instant !== instant || last.networkOffset !== networkOffset || last.interval !== interval) {
      last = { instant, networkOffset, interval };
      micros = toMicros(instant);
      wallClock = zone.name === "network" && networkOffset === undefined ? undefined : toMicros(zone.toWallClock(instant, networkOffset));
      end = ends && toMicros(findIntervalEnd(interval, instant, networkOffset));
    }
    instants?.set(row, micros);
    wallClocks?.set(row, wallClock);
    ends?.set(row, end);
  };
}

function toMicros(ms: number): bigint;
function toMicros(ms: number | undefined): bigint | undefined;
function toMicros(ms: number | undefined): bigint | undefined {
  return ms === undefined ? undefined : BigInt(ms) * 1000n;
}
