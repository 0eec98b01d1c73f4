import type { Instants } from "../points.ts";

/** A position in a series. */
export interface PointCursor {
  readonly instants: Instants;
  /** The index of the next point. */
  next: number;
}

/** The earliest next instant; Infinity where no point is left. */
export function findEarliest(cursors: readonly PointCursor[]): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { instants, next } of cursors) {
    const instant = instants[next];
    if (instant !== undefined && instant < earliest) earliest = instant;
  }
  return earliest;
}
