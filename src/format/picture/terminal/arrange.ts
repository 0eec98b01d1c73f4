/** Arranges the parts of a chart in the available cells. */
import { greatest, sum } from "d3-array";
import type { ChartPanel } from "./look.ts";
import { createLegend, type FigureName, layOutLegend, type Legend } from "./legend-layout.ts";

/** The content to arrange. */
export interface ChartContent {
  readonly width: number;
  /** Number of rows for plots and legends. */
  readonly rows: number;
  readonly panels: readonly ChartPanel[];
}

export interface Arrangement {
  readonly legends: readonly Legend[];
  /** Width of the legends at the right of the plots; 0 if they are below. */
  readonly beside: number;
  /** Rows of each plot. */
  readonly plotRows: number;
  /** True if a line says that figures are left out. */
  readonly isShort: boolean;
}

/** Approximate width of the value axis: labels and line. */
const AXIS_WIDTH = 8;
/** Minimum columns and rows of a plot that show a shape, and minimum fraction of all rows for plots. */
const LEAST = { columns: 24, rows: 3, part: 0.6 };
/** Distance between plot and legend. */
export const LEGEND_GAP = 2;

/** Figures of stacks and of lines, fewer if space is short. */
const FIGURES: readonly Readonly<Record<"stack" | "line", readonly FigureName[]>>[] = [
  { stack: ["last", "mean", "share"], line: ["last", "mean"] },
  { stack: ["share"], line: ["last"] },
  { stack: [], line: [] },
];

/** Styles of figures, from full and spaced to short and dense; `factor` lowers the rating of the denser ones. */
const STYLES = [
  { gap: 2, compact: false, factor: 1 },
  { gap: 2, compact: true, factor: 0.9 },
  { gap: 1, compact: true, factor: 0.8 },
];

/** Keeps as many figures as leave space for a plot, then chooses the best rating; undefined if nothing fits. Names are never cut. */
export function arrange(content: ChartContent): Arrangement | undefined {
  for (const [rank, figures] of FIGURES.entries()) {
    const room = rank === 0 ? content : { ...content, rows: content.rows - 1 };
    const fitting = listCandidates(room, figures).filter((one) => isLargeEnough(one, room));
    const best = greatest(fitting, rate);
    if (best) return { ...best, isShort: rank > 0 };
  }
  return undefined;
}

/** Arranges a chart that must be higher than its terminal. */
export function arrangeOverflowing(content: ChartContent): Arrangement {
  const last = listCandidates(content, { stack: [], line: [] }).at(-1) as Candidate;
  return { ...last, plotRows: Math.max(last.plotRows, LEAST.rows), isShort: false };
}

interface Candidate extends Omit<Arrangement, "isShort"> {
  /** Width of each plot, in cells. */
  readonly columns: number;
  /** Multiplies the rating. */
  readonly factor: number;
}

/** Lists arrangements in each style, with the legends beside the plots and below them. */
function listCandidates({ width, rows, panels }: ChartContent, figures: (typeof FIGURES)[number]): Candidate[] {
  return STYLES.flatMap(({ factor, ...style }) => {
    const contents = panels.map((one) =>
      createLegend(one, { ...style, figures: figures[one.panel.mark === "line" ? "line" : "stack"], width }),
    );
    const narrowest = Math.max(...contents.map((content) => layOutLegend(content, 0).width));
    return [narrowest, 0].map((beside) => {
      const legends = contents.map((content) => layOutLegend(content, beside || width));
      const rowsUnder = beside > 0 ? 0 : sum(legends, (legend) => legend.rows);
      const plotRows = Math.floor((rows - rowsUnder) / panels.length);
      const fits = legends.every((legend) => (beside > 0 ? legend.rows <= plotRows : legend.width <= width));
      const columns = width - AXIS_WIDTH - (beside > 0 ? LEGEND_GAP + beside : 0);
      return { legends, beside, plotRows: fits ? plotRows : 0, columns, factor };
    });
  });
}

function isLargeEnough({ columns, plotRows }: Candidate, { width, rows, panels }: ChartContent): boolean {
  return columns >= Math.min(LEAST.columns, width - AXIS_WIDTH) && plotRows >= Math.max(LEAST.rows, (rows * LEAST.part) / panels.length);
}

/** Plot width from which a legend beside it is preferred, as it is easiest to read there. */
const WIDE = 60;

/** Rates an arrangement by plot size; width counts more than height, as it shows more of a time series. */
function rate({ columns, plotRows, beside, factor }: Candidate): number {
  const isBest = beside > 0 && columns >= WIDE;
  return columns * Math.sqrt(plotRows) * (isBest ? 2 : 1) * factor;
}
