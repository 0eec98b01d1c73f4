/** Maps instants to the cells of a plot. */
import { cumsum, mean, pairs, sum } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { TimeAxis } from "../model/picture.ts";
import { createTimeScale, type Scale } from "../model/scales.ts";

/**
 * `dots`: in a cell. Intervals of columns, long and short months alike, are of equal width if there is a cell for each.
 */
export function createCellScale(time: TimeAxis, width: number, dots = 1): Scale {
  const { domain, intervals } = time;
  if (!intervals) return createTimeScale(time, [0, width * dots - 1]);
  const { starts, ends } = intervals;
  const usual = mean(starts, (start, index) => (ends[index] as number) - start) ?? 1;
  const edges = [...new Set([domain[0], ...starts, ...ends, domain[1]])].sort((a, b) => a - b);
  const isColumn = new Set(starts);
  const widths = pairs(edges, (start, end) =>
    isColumn.has(start) ? 1 : Math.max(1, Math.round((end - start) / usual)),
  );
  const each = Math.floor(width / sum(widths));
  if (each === 0) return createTimeScale(time, [0, width * dots]);
  return scaleLinear(
    edges,
    [0, ...cumsum(widths)].map((count) => count * each * dots),
  );
}

/** The scale of areas, which reach to the edges of the plot, and of columns. */
export function createAreaScale(time: TimeAxis, width: number): Scale {
  return time.intervals ? createCellScale(time, width) : createTimeScale(time, [0, width]);
}

/** The cell that shows an instant: the middle of a column is one to the left, since a blank follows it. */
export function findCell(scale: Scale, { intervals }: TimeAxis, instant: number): number {
  return Math.max(0, Math.round(scale(instant) - (intervals ? 1 : 0)));
}
