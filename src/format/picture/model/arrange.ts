/** Arranges plots and legends on a surface, in its units: pixels of a page, or cells of a terminal. */
import { range, sum } from "d3-array";
import { type Legend, type LegendContent, listLegends } from "./legend-layout.ts";

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
  /** Of legends below the plots, at most. */
  readonly legendWidth: number;
  /** What plots should have together, side by side and one below the other. */
  readonly enough: { readonly width: number; readonly height: number };
  /** A plot is flat if it is wider than this times its height. */
  readonly flat: number;
  readonly round: (size: number) => number;
}

export interface PlotGrid {
  /** Plots side by side. */
  readonly columns: number;
  readonly plotWidth: number;
  readonly plotHeight: number;
}

/** Plots with their legends. */
export interface Arrangement extends PlotGrid {
  readonly legends: readonly Legend[];
  /** The width of legends beside the plots; 0 if they are below. */
  readonly beside: number;
  /** How much of the room that they should have plots have: 1 is enough, and 0 shows no shape. */
  readonly room: number;
}

/** Arranges plots with legends of fewer and fewer figures, beside them and below them. */
export function* listArrangements(surface: Surface, content: LegendContent): Generator<Arrangement> {
  const { sharesLegend } = content;
  for (const { legends, isBeside } of listLegends(content, surface.legendWidth)) {
    const beside = isBeside ? Math.max(...legends.map(({ width }) => width)) : 0;
    const grid = choosePlotGrid(surface, beside, isBeside ? 0 : sum(legends, ({ height }) => height));
    const { columns, plotWidth, plotHeight } = grid;
    const height = sharesLegend ? surface.height : plotHeight + surface.caption + surface.below;
    const fits = legends.every((legend) => (isBeside ? legend.height <= height : legend.width <= surface.legendWidth));
    const rows = Math.ceil(surface.count / columns);
    const room = Math.min((columns * plotWidth) / surface.enough.width, (rows * plotHeight) / surface.enough.height);
    const isUsable = plotWidth >= Math.min(surface.least.width, surface.width - surface.left);
    const isShown = fits && isUsable && plotHeight >= surface.least.height;
    yield { ...grid, legends, beside, room: isShown ? room : 0 };
  }
}

/** Of candidates that all leave too little room, the first with this part of the best is taken. */
const NEARLY = 0.9;

/** Chooses the first with enough room, else the roomiest, or one before it that is nearly so; undefined if none is usable. */
export function chooseRoomy<T extends Pick<Arrangement, "room">>(candidates: Iterable<T>): T | undefined {
  const seen: T[] = [];
  for (const candidate of candidates) {
    if (candidate.room >= 1) return candidate;
    seen.push(candidate);
  }
  const best = Math.max(0, ...seen.map(({ room }) => room));
  return best > 0 ? seen.find(({ room }) => room >= NEARLY * best) : undefined;
}

/** Chooses the number of columns of small multiples, so that plots are neither flat nor narrow. `below`: all legends. */
function choosePlotGrid(surface: Surface, beside: number, below: number): PlotGrid {
  const { count, maxColumns, least, flat } = surface;
  const grids = range(1, Math.max(1, Math.min(count, maxColumns)) + 1).map((columns) =>
    measureGrid(surface, columns, { beside, below }),
  );
  const rate = ({ plotWidth, plotHeight }: PlotGrid) =>
    plotHeight < least.height ? plotHeight : Math.min(plotWidth, plotHeight * flat);
  return grids.reduce((best, grid) => (rate(grid) > rate(best) ? grid : best));
}

function measureGrid(
  surface: Surface,
  columns: number,
  legends: { readonly beside: number; readonly below: number },
): PlotGrid {
  const { count, width, height, left, right, gap, legendGap, caption, times, below, round } = surface;
  const rows = Math.max(1, Math.ceil(count / columns));
  const beside = legends.beside > 0 ? legendGap + legends.beside : 0;
  const plotWidth = round((width - left - right - beside - (columns - 1) * gap) / columns);
  const plotHeight = round((height - rows * (caption + below) + below - times - legends.below) / rows);
  return { columns, plotWidth, plotHeight };
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
