import { findIntervalEnd } from "../../series/layout/interval-end.ts";
import type { TimedRow } from "../../series/layout/rows.ts";
import type { Zone } from "../../time/zone.ts";
import type { TimeData } from "./column-data.ts";

/** What decides the wall clock and the end of a bucket. */
export interface TimedSeries extends Pick<TimedRow, "networkOffset" | "interval"> {
  /** The offset of the network's time, else that of the timestamp as the service sent it. */
  readonly clockOffset: number;
}

/** Sets the times of a row: instant, wall clock, and end where there is a column for it. Most rows have the times of the row before. */
export function createClock([instants, wallClocks, ends]: readonly TimeData[], zone: Zone) {
  let last: (TimedSeries & { readonly instant: number }) | undefined;
  let [micros, wallClock, end]: (bigint | undefined)[] = [];
  return (row: number, instant: number, { networkOffset, clockOffset, interval }: TimedSeries): void => {
    const isSame = last?.instant === instant && last.clockOffset === clockOffset && last.interval === interval;
    if (!isSame || last?.networkOffset !== networkOffset) {
      last = { instant, networkOffset, clockOffset, interval };
      micros = toMicros(instant);
      wallClock = toMicros(zone.toWallClock(instant, clockOffset));
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
