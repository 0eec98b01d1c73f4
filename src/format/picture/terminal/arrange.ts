/** Where the parts of a chart go in the cells that there are. */
import { greatest } from "d3-array";
import { countRows, createLegend, fitLegendColumns, type FigureName, type Legend, toColumns } from "./legend-layout.ts";
import type { PanelLook } from "./look.ts";

/** What is arranged. */
export interface ChartContent {
  readonly width: number;
  /** Rows for plots and legends. */
  readonly height: number;
  readonly panels: readonly PanelLook[];
}

export interface Arrangement {
  readonly legends: readonly Legend[];
  /** The width of the legends at the right of the plots; 0 if they are under them. */
  readonly beside: number;
  /** Rows of each plot. */
  readonly plotRows: number;
  /** Whether there is a line to say that figures are left out. */
  readonly isShort: boolean;
}

/** Labels and line of the value axis, about. */
const AXIS_WIDTH = 8;
/** The least that shows a shape: columns and rows of a plot, and the part of all rows that plots have. */
const LEAST = { columns: 24, rows: 3, part: 0.6 };
/** Between plot and legend. */
export const LEGEND_GAP = 2;

/** The figures of a stack and of lines, fewer where the room is short. */
const FIGURES: readonly Readonly<Record<"stack" | "line", readonly FigureName[]>>[] = [
  { stack: ["last", "mean", "share"], line: ["last", "mean"] },
  { stack: ["share"], line: ["last"] },
  { stack: [], line: [] },
];

/** Figures in full and apart, unless a plot gains by less. */
const STYLES = [
  { gap: 2, compact: false, factor: 1 },
  { gap: 2, compact: true, factor: 0.9 },
  { gap: 1, compact: true, factor: 0.8 },
];

/** With as many figures as leave room for a plot, and then the largest plot, more or less; undefined without room. Names are never cut. */
export function arrange(content: ChartContent): Arrangement | undefined {
  for (const [rank, figures] of FIGURES.entries()) {
    const room = rank === 0 ? content : { ...content, height: content.height - 1 };
    const fitting = listCandidates(room, figures).filter((one) => isLargeEnough(one, room));
    const best = greatest(fitting, rate);
    if (best) return { ...best, isShort: rank > 0 };
  }
  return undefined;
}

/** Where a chart must be higher than its terminal. */
export function squeeze(content: ChartContent): Arrangement {
  const last = listCandidates(content, { stack: [], line: [] }).at(-1) as Candidate;
  return { ...last, plotRows: Math.max(last.plotRows, LEAST.rows), isShort: false };
}

interface Candidate extends Omit<Arrangement, "isShort"> {
  /** The cells of each plot. */
  readonly columns: number;
  /** A factor of its rating. */
  readonly factor: number;
}

function listCandidates(content: ChartContent, figures: (typeof FIGURES)[number]): Candidate[] {
  return STYLES.flatMap((style) => {
    const legends = content.panels.map((one) =>
      createLegend(one, { figures: figures[one.panel.mark === "line" ? "line" : "stack"], ...style, width: content.width }),
    );
    return [placeBeside(legends, content), placeUnder(legends, content)].map((placed) => ({ ...placed, factor: style.factor }));
  });
}

function placeBeside(legends: readonly Legend[], { width, height }: ChartContent): Omit<Candidate, "factor"> {
  const beside = Math.max(...legends.map((legend) => toColumns(legend, legend.entries.length)[0]?.width ?? 0));
  const rows = Math.floor(height / legends.length);
  const fits = legends.every((legend) => countRows(legend, beside) <= rows);
  return { legends, beside, plotRows: fits ? rows : 0, columns: width - AXIS_WIDTH - LEGEND_GAP - beside };
}

function placeUnder(legends: readonly Legend[], { width, height }: ChartContent): Omit<Candidate, "factor"> {
  const legendRows = legends.reduce((sum, legend) => sum + countRows(legend, width), 0);
  const fits = legends.every((legend) => fitLegendColumns(legend, width).every((column) => column.width <= width));
  return { legends, beside: 0, plotRows: fits ? Math.floor((height - legendRows) / legends.length) : 0, columns: width - AXIS_WIDTH };
}

function isLargeEnough({ columns, plotRows }: Candidate, { width, height, panels }: ChartContent): boolean {
  return columns >= Math.min(LEAST.columns, width - AXIS_WIDTH) && plotRows >= Math.max(LEAST.rows, (height * LEAST.part) / panels.length);
}

/** A plot so wide need not be wider: the legend is read best beside it. */
const WIDE = 60;

/** The size of the plot: width shows more of a time series than height. */
function rate({ columns, plotRows, beside, factor }: Candidate): number {
  const isBest = beside > 0 && columns >= WIDE;
  return columns * Math.sqrt(plotRows) * (isBest ? 2 : 1) * factor;
}
