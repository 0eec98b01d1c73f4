/** Finds the intervals that are not complete among the points of a series. */
import type { Interval } from "../base/intervals.ts";
import { lowerBound } from "./point-operations.ts";
import type { Points } from "./points.ts";
import { intervalOfTimestamp } from "../time/calendar.ts";
import { MINUTE } from "../time/local-time.ts";

interface ClockedPoints {
  readonly points: Points;
  readonly interval: Interval | undefined;
  /** The UTC offset of the network's clock, in minutes. */
  readonly offset: number;
}

/** The instants of points whose intervals start at one of these network times. */
export function findPartialStarts({ points, interval, offset }: ClockedPoints, starts: readonly number[]): number[] {
  const shift = offset * MINUTE;
  if (interval !== "season" && interval !== "fy") {
    return starts
      .map((start) => start - shift)
      .filter((instant) => points.instants[lowerBound(points, instant)] === instant);
  }
  const startOf = (instant: number) =>
    interval === "fy" ? intervalOfTimestamp(interval, instant + shift)[0] : instant + shift;
  return [...points.instants].filter((instant) => starts.includes(startOf(instant)));
}
