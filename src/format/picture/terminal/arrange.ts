/** Arranges the plots and legends of a chart in the available cells. */
import { range, sum } from "d3-array";
import type { ChartPanel } from "./look.ts";
import { createLegend, type FigureName, layOutLegend, type Legend } from "./legend-layout.ts";

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

export interface Arrangement {
  /** One per panel that has one. */
  readonly legends: readonly Legend[];
  /** Width of the legends at the right of the plots; 0 if they are below. */
  readonly beside: number;
  /** Plots side by side. */
  readonly columns: number;
  /** Rows of each plot, and its columns without the axis. */
  readonly plotRows: number;
  readonly plotColumns: number;
}

/** Approximate width of the value axis: labels and line. */
const AXIS_WIDTH = 7;
/** Minimum size of a plot that shows a shape. */
const LEAST = { columns: 16, rows: 3 };
/** Minimum parts of a chart's width and height for plots. */
const PARTS = { columns: 0.75, rows: 0.63, rowsOfSeveral: 0.5 };
/** Distance between plot and legend, and between plots side by side. */
export const GAP = 2;

/** Figures of stacks and of lines, fewer if space is short. */
const FIGURES: readonly Readonly<Record<"stack" | "line", readonly FigureName[]>>[] = [
  { stack: ["last", "mean", "share"], line: ["last", "mean"] },
  { stack: ["share"], line: ["last"] },
  { stack: [], line: [] },
];

/** Keeps as many figures as leave enough space for the plots; undefined if not even names do. `ease`: multiplies the minimum rows. */
export function arrange(content: ChartContent, ease: number): Arrangement | undefined {
  return listCandidates(content).find((one) => isLargeEnough(one, content, ease));
}

/** The names alone, in as little space as they take; undefined if the plots would show no shape. */
export function arrangeTightly(content: ChartContent): Arrangement | undefined {
  const last = listCandidates(content).at(-1);
  return last && last.plotRows >= LEAST.rows ? last : undefined;
}

/** Arranges a chart that must be higher than its terminal. */
export function arrangeOverflowing(content: ChartContent): Arrangement {
  const last = listCandidates(content).at(-1) as Arrangement;
  return { ...last, plotRows: Math.max(last.plotRows, LEAST.rows) };
}

/** Lists arrangements, those with most figures first: with the legends beside the plots, then below them. */
function listCandidates(content: ChartContent): Arrangement[] {
  const { width, legendPanels, isSplit, sharesLegend } = content;
  if (legendPanels.length === 0) return [bestGrid(content, [], 0)];
  // One legend of several panels has no figures: each panel has its own.
  return FIGURES.slice(sharesLegend ? -1 : 0).flatMap((figures) => {
    const contents = legendPanels.map((one) =>
      createLegend(one, { figures: figures[one.panel.mark === "line" ? "line" : "stack"], width }),
    );
    const narrowest = Math.max(...contents.map((one) => layOutLegend(one, 0).width));
    const [beside, below] = [narrowest, width].map((room) => contents.map((one) => layOutLegend(one, room)));
    const places = [bestGrid(content, beside ?? [], narrowest), bestGrid(content, below ?? [], 0)];
    // Plots side by side need the width.
    return isSplit ? places.toReversed() : places;
  });
}

/** Chooses the number of plots side by side, so that they are neither flat nor narrow. */
function bestGrid(content: ChartContent, legends: readonly Legend[], beside: number): Arrangement {
  const { panels, isSplit } = content;
  const grids = range(1, isSplit ? Math.min(panels.length, 6) + 1 : 2).map((columns) => measureGrid(content, { legends, beside, columns }));
  // A cell is about twice as high as wide.
  const rate = ({ plotColumns, plotRows }: Arrangement) => (plotRows < LEAST.rows ? plotRows : Math.min(plotColumns, plotRows * 5));
  return grids.reduce((best, one) => (rate(one) > rate(best) ? one : best));
}

function measureGrid(content: ChartContent, grid: Pick<Arrangement, "legends" | "beside" | "columns">): Arrangement {
  const { width, rows, panels } = content;
  const { legends, beside, columns } = grid;
  const below = beside > 0 ? 0 : sum(legends, (legend) => legend.rows);
  const gridRows = Math.ceil(panels.length / columns);
  const perRow = panels.length > 1 ? 2 : 1;
  const plotRows = Math.floor((rows - below - gridRows * perRow - 1) / gridRows);
  const plotColumns = Math.floor((width - AXIS_WIDTH - (beside > 0 ? GAP + beside : 0) - (columns - 1) * GAP) / columns);
  // Legends of several panels stand beside their own plots.
  const room = legends.length > 1 ? plotRows + perRow : rows;
  const fits = legends.every((legend) => (beside > 0 ? legend.rows <= room : legend.width <= width));
  return { ...grid, plotRows: fits ? plotRows : 0, plotColumns };
}

function isLargeEnough({ plotColumns, plotRows, columns }: Arrangement, { width, height, panels }: ChartContent, ease: number): boolean {
  const gridRows = Math.ceil(panels.length / columns);
  const leastRows = Math.ceil(ease * height * (panels.length > 1 ? PARTS.rowsOfSeveral : PARTS.rows));
  const isWide = columns * plotColumns >= Math.min(PARTS.columns * width, width - AXIS_WIDTH - columns * GAP);
  return isWide && plotColumns >= Math.min(LEAST.columns, width - AXIS_WIDTH) && plotRows >= LEAST.rows && gridRows * plotRows >= leastRows;
}
