/** Arranges plots and legends on a surface, in its units: pixels of a page, or cells of a terminal. */
import { range, sum } from "d3-array";

export interface Surface {
  /** Number of plots. */
  readonly count: number;
  /** How many may stand side by side, at most. */
  readonly maxColumns: number;
  /** For plots with their axes, captions and legends. */
  readonly width: number;
  readonly height: number;
  /** At the left of the first plots, and at the right of the last. */
  readonly left: number;
  readonly right: number;
  /** Between plots side by side, and between a plot and the legend beside it. */
  readonly gap: number;
  readonly legendGap: number;
  /** Height above each plot: of its caption. */
  readonly caption: number;
  /** Height below a plot of the last row, where times are, and of the others. */
  readonly times: number;
  readonly below: number;
  readonly least: { readonly width: number; readonly height: number };
  /** True if it grows, so that no plot is smaller than the least. */
  readonly grows: boolean;
  /** A plot is flat if it is wider than this times its height. */
  readonly flat: number;
  readonly round: (size: number) => number;
}

/** The room that legends take: a width beside the plots, or heights below them. */
interface LegendRoom {
  /** 0 if they are below. */
  readonly beside: number;
  readonly below: readonly number[];
}

export interface PlotGrid extends LegendRoom {
  /** Plots side by side. */
  readonly columns: number;
  readonly plotWidth: number;
  readonly plotHeight: number;
}

/** Chooses the number of columns of small multiples, so that plots are neither flat nor narrow. */
export function bestGrid(surface: Surface, legends: LegendRoom): PlotGrid {
  const { count, maxColumns, least, flat } = surface;
  const grids = range(1, Math.max(1, Math.min(count, maxColumns)) + 1).map((columns) =>
    measureGrid(surface, legends, columns),
  );
  const rate = ({ plotWidth, plotHeight }: PlotGrid) =>
    plotHeight < least.height ? plotHeight : Math.min(plotWidth, plotHeight * flat);
  return grids.reduce((best, grid) => (rate(grid) > rate(best) ? grid : best));
}

function measureGrid(surface: Surface, legends: LegendRoom, columns: number): PlotGrid {
  const { count, width, height, left, right, gap, legendGap, caption, times, below, least, grows, round } = surface;
  const rows = Math.max(1, Math.ceil(count / columns));
  const beside = legends.beside > 0 ? legendGap + legends.beside : 0;
  const plotWidth = round((width - left - right - beside - (columns - 1) * gap) / columns);
  const around = rows * (caption + below) - below + times + (beside > 0 ? 0 : sum(legends.below));
  const plotHeight = round((height - around) / rows);
  const atLeast = (size: number, most: number) => (grows ? Math.max(size, most) : size);
  return {
    ...legends,
    columns,
    plotWidth: atLeast(plotWidth, least.width),
    plotHeight: atLeast(plotHeight, least.height),
  };
}

export interface PlotPlace {
  readonly x: number;
  /** Of its caption, and of the plot itself. */
  readonly top: number;
  readonly y: number;
  /** Whether it has values at its left, and times below it. */
  readonly hasValues: boolean;
  readonly hasTimes: boolean;
  /** Where a legend below it begins. */
  readonly end: number;
}

/**
 * Places plots row by row, from `top` on, with each row's legends below it. `legends`: the height of that of each plot.
 */
export function placePlots(
  { count, gap, caption, times, below }: Pick<Surface, "count" | "gap" | "caption" | "times" | "below">,
  { columns, plotWidth, plotHeight }: Pick<PlotGrid, "columns" | "plotWidth" | "plotHeight">,
  { left, top, legends }: { readonly left: number; readonly top: number; readonly legends: readonly number[] },
): { readonly plots: readonly PlotPlace[]; readonly end: number } {
  let rowTop = top;
  const plots = range(count).map((index): PlotPlace => {
    const column = index % columns;
    const isLast = index === count - 1;
    const y = rowTop + caption;
    const end = y + plotHeight + (isLast ? times : below);
    const place = {
      x: left + column * (plotWidth + gap),
      top: rowTop,
      y,
      end,
      hasValues: column === 0,
      hasTimes: index + columns >= count,
    };
    if (column === columns - 1 || isLast) rowTop = end + (legends[index] ?? 0);
    return place;
  });
  return { plots, end: rowTop };
}

/** Places texts of these widths in lines. Returns the start of each in its line, and its line. */
export function flow(
  widths: readonly number[],
  room: number,
  gap: number,
): { readonly x: number; readonly line: number }[] {
  let [x, line] = [0, 0];
  return widths.map((width) => {
    if (x > 0 && x + width > room) [x, line] = [0, line + 1];
    const place = { x, line };
    x += width + gap;
    return place;
  });
}
