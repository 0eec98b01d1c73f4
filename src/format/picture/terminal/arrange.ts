/** Arranges the plots and legends of a chart in the available cells. */
import { bestGrid, type PlotGrid, type Surface } from "../model/arrange.ts";
import type { Panel } from "../model/picture.ts";
import type { ChartPanel } from "./look.ts";
import { type FigureName, listLegendFigures } from "../model/legend.ts";
import { createLegend, layOutLegend, type Legend } from "./legend-layout.ts";

/** The content to arrange. */
export interface ChartContent {
  readonly width: number;
  /** Of the chart with its texts. */
  readonly height: number;
  /** Number of rows for plots, their axes, and legends. */
  readonly rows: number;
  readonly panels: readonly ChartPanel[];
  /** The panels that have a legend. */
  readonly legendPanels: readonly ChartPanel[];
  /** True if plots may stand side by side. */
  readonly isSplit: boolean;
  /** True if the only legend is that of all panels. */
  readonly sharesLegend: boolean;
}

export interface Arrangement extends PlotGrid {
  /** One per panel that has one. */
  readonly legends: readonly Legend[];
}

/** Minimum size of a plot that shows a shape. */
const LEAST = { width: 16, height: 3 };
/** Minimum parts of a chart's width and height for plots. */
const PARTS = { columns: 0.75, rows: 0.63, rowsOfSeveral: 0.5 };

export function chartSurfaceOf({ width, rows, panels, isSplit }: ChartContent): Surface {
  return {
    count: panels.length,
    maxColumns: isSplit ? 6 : 1,
    width,
    height: rows,
    // Approximately: labels and line.
    left: 7,
    right: 0,
    gap: 2,
    legendGap: 2,
    caption: panels.length > 1 ? 1 : 0,
    // The line of the axis, and in the last row its labels.
    times: 2,
    below: 1,
    least: LEAST,
    grows: false,
    // A cell is about twice as high as wide.
    flat: 5,
    round: Math.floor,
  };
}

/** Figures of stacks and of lines, fewer if space is short. */
const FIGURES: readonly ((panel: Panel) => readonly FigureName[])[] = [
  listLegendFigures,
  (panel) => (panel.mark === "line" ? listLegendFigures(panel).slice(0, 1) : ["share"]),
  () => [],
];

/**
 * Keeps as many figures as leave enough space for the plots; undefined if not even names do. `relax`: multiplies the
 * minimum rows.
 */
export function arrange(content: ChartContent, relax: number): Arrangement | undefined {
  return listCandidates(content).find((candidate) => isLargeEnough(candidate, content, relax));
}

/** The names alone, in as little space as they take; undefined if the plots would show no shape. */
export function arrangeTightly(content: ChartContent): Arrangement | undefined {
  const last = listCandidates(content).at(-1);
  return last && last.plotHeight >= LEAST.height ? last : undefined;
}

/** Arranges a chart that must be higher than its terminal. */
export function arrangeOverflowing(content: ChartContent): Arrangement {
  const last = listCandidates(content).at(-1) as Arrangement;
  return { ...last, plotHeight: Math.max(last.plotHeight, LEAST.height) };
}

/** Lists arrangements, those with most figures first: with the legends beside the plots, then below them. */
function listCandidates(content: ChartContent): Arrangement[] {
  const { width, legendPanels, isSplit, sharesLegend } = content;
  if (legendPanels.length === 0) return [place(content, [], 0)];
  // One legend of several panels has no figures: each panel has its own.
  return FIGURES.slice(sharesLegend ? -1 : 0).flatMap((figures) => {
    const contents = legendPanels.map((legend) => createLegend(legend, { figures: figures(legend.panel), width }));
    const narrowest = Math.max(...contents.map((legend) => layOutLegend(legend, 0).width));
    const [beside, below] = [narrowest, width].map((room) => contents.map((legend) => layOutLegend(legend, room)));
    const places = [place(content, beside ?? [], narrowest), place(content, below ?? [], 0)];
    // Plots side by side need the width.
    return isSplit ? places.toReversed() : places;
  });
}

/** No rows are left for plots if the legends do not fit. */
function place(content: ChartContent, legends: readonly Legend[], beside: number): Arrangement {
  const surface = chartSurfaceOf(content);
  const grid = bestGrid(surface, { beside, below: legends.map((legend) => legend.rows) });
  // Legends of several panels stand beside their own plots.
  const room = legends.length > 1 ? grid.plotHeight + surface.caption + surface.below : content.rows;
  const fits = legends.every((legend) => (beside > 0 ? legend.rows <= room : legend.width <= content.width));
  return { ...grid, plotHeight: fits ? grid.plotHeight : 0, legends };
}

function isLargeEnough(arrangement: Arrangement, content: ChartContent, relax: number): boolean {
  const { plotWidth, plotHeight, columns } = arrangement;
  const { width, height, panels } = content;
  const { left, gap } = chartSurfaceOf(content);
  const gridRows = Math.ceil(panels.length / columns);
  const leastRows = Math.ceil(relax * height * (panels.length > 1 ? PARTS.rowsOfSeveral : PARTS.rows));
  const isWide = columns * plotWidth >= Math.min(PARTS.columns * width, width - left - columns * gap);
  return (
    isWide &&
    plotWidth >= Math.min(LEAST.width, width - left) &&
    plotHeight >= LEAST.height &&
    gridRows * plotHeight >= leastRows
  );
}
