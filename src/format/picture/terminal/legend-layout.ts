/** The legend of a panel: names and figures. */
import { orderLegend, printFigure, printShare } from "../model/legend.ts";
import type { Figures } from "../model/picture.ts";
import type { PanelLook } from "./look.ts";
import { fitCells, measureChartText, printCompact, toShownText } from "./text.ts";

export type FigureName = keyof Figures;

export interface Legend {
  readonly entries: readonly LegendEntry[];
  readonly figures: readonly FigureName[];
  /** Cells between figures. */
  readonly gap: number;
  /** The style of the titles of figures. */
  readonly titleStyle: string;
}

export interface LegendEntry {
  readonly mark: string;
  readonly style: string | undefined;
  readonly name: string;
  readonly figures: readonly string[];
}

export interface LegendStyle extends Pick<Legend, "figures" | "gap"> {
  /** Whether large numbers are shortened. */
  readonly compact: boolean;
  /** Cells; a longer name is cut, and shows it. */
  readonly width: number;
}

export function createLegend({ panel, look }: PanelLook, { figures, gap, compact, width }: LegendStyle): Legend {
  const print = compact ? printCompact : printFigure;
  const entries = orderLegend(panel).map((series): LegendEntry => {
    const index = panel.series.indexOf(series);
    return {
      mark: look.letters?.[index] ?? "■",
      style: look.inks?.[index]?.front,
      name: fitCells(toShownText(series.name, look.unicode), width - MARK_WIDTH),
      figures: figures.map((name) => (name === "share" ? printShare : print)(series.figures[name])),
    };
  });
  return { entries, figures, gap, titleStyle: look.pens.dim };
}

/** Entries one under the other. */
export interface LegendColumn {
  readonly entries: readonly LegendEntry[];
  readonly nameWidth: number;
  readonly figureWidths: readonly number[];
  readonly width: number;
}

/** The mark of an entry, and the blank after it. */
export const MARK_WIDTH = 2;
/** Between entries side by side. */
export const ENTRY_GAP = 2;

/** Columns of so many entries. */
export function toColumns({ entries, figures, gap }: Legend, rows: number): LegendColumn[] {
  return Array.from({ length: Math.ceil(entries.length / rows) }, (_, column) => {
    const own = entries.slice(column * rows, (column + 1) * rows);
    const nameWidth = Math.max(...own.map(({ name }) => measureChartText(name)));
    const figureWidths = figures.map((title, index) => Math.max(title.length, ...own.map((entry) => (entry.figures[index] ?? "").length)));
    return { entries: own, nameWidth, figureWidths, width: figureWidths.reduce((sum, width) => sum + gap + width, MARK_WIDTH + nameWidth) };
  });
}

/** As many columns as fit in a width, or one. */
export function fitLegendColumns(legend: Legend, width: number): LegendColumn[] {
  for (let rows = 1; rows < legend.entries.length; rows++) {
    const columns = toColumns(legend, rows);
    if (columns.reduce((sum, column) => sum + ENTRY_GAP + column.width, -ENTRY_GAP) <= width) return columns;
  }
  return toColumns(legend, legend.entries.length);
}

/** Without figures: entries one after the other, in as many lines as they need. */
export function flowEntries({ entries }: Legend, width: number): LegendEntry[][] {
  const lines: LegendEntry[][] = [];
  let used = width;
  for (const entry of entries) {
    const cells = MARK_WIDTH + measureChartText(entry.name);
    if (used + cells > width) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)?.push(entry);
    used += cells + ENTRY_GAP;
  }
  return lines;
}

/** The rows of a legend in a width. */
export function countRows(legend: Legend, width: number): number {
  if (legend.figures.length === 0) return flowEntries(legend, width).length;
  return 1 + (fitLegendColumns(legend, width)[0]?.entries.length ?? 0);
}
