/** Panels one under the other, with one time axis. */
import type { TimeAxis } from "../model/picture.ts";
import type { Scale, Tick } from "../model/scales.ts";
import { type Arrangement, LEGEND_GAP } from "./arrange.ts";
import { createRowScale, drawTimeAxis, drawValueAxis, listRowTicks } from "./axes.ts";
import type { CellGrid } from "./canvas.ts";
import {
  countRows,
  type LegendEntry,
  ENTRY_GAP,
  fitLegendColumns,
  flowEntries,
  type Legend,
  type LegendColumn,
  MARK_WIDTH,
} from "./legend-layout.ts";
import { drawLines } from "./draw-lines.ts";
import type { PanelLook, PlotCells } from "./look.ts";
import { drawStacks } from "./draw-stacks.ts";
import { measureChartText } from "./text.ts";

export interface Panels {
  readonly time: TimeAxis;
  readonly panels: readonly Captioned[];
  readonly hasCaptions: boolean;
  readonly top: number;
  readonly arrangement: Arrangement;
}

export interface Captioned extends PanelLook {
  readonly caption: string;
}

/** Rows beside plots and legends: captions, the base line of each panel, and the times under the last. */
export function countFrameRows({ panels, hasCaptions }: Pick<Panels, "panels" | "hasCaptions">): number {
  return panels.length * (hasCaptions ? 2 : 1) + 1;
}

/** Returns the row after them. */
export function paintPanels(canvas: CellGrid, { time, panels, hasCaptions, top, arrangement }: Panels): number {
  const { plotRows, beside, legends } = arrangement;
  const axes = panels.map(({ panel }) => {
    const scale = createRowScale(panel, plotRows);
    return { scale, ticks: listRowTicks(panel, scale) };
  });
  const left = 1 + Math.max(0, ...axes.flatMap(({ ticks }) => ticks.map(({ text }) => text.length)));
  const width = Math.max(1, canvas.width - left - (beside > 0 ? beside + LEGEND_GAP : 0));
  let row = top;
  for (const [index, one] of panels.entries()) {
    const { scale, ticks } = axes[index] as { readonly scale: Scale; readonly ticks: readonly Tick[] };
    const legend = legends[index] as Legend;
    if (hasCaptions) canvas.write(0, row++, { text: one.caption, style: one.look.pens.dim });
    const plot = { canvas, left, top: row, width, height: plotRows, time, scale, look: one.look };
    const isLast = index === panels.length - 1;
    paintPlot(one, plot, { ticks, isLast });
    row += plotRows + (isLast ? 2 : 1);
    drawLegend(
      canvas,
      legend,
      beside > 0 ? { left: canvas.width - beside, top: plot.top, width: beside } : { left: 0, top: row, width: canvas.width },
    );
    if (beside === 0) row += countRows(legend, canvas.width);
  }
  return row;
}

function paintPlot(
  { panel }: PanelLook,
  plot: PlotCells,
  { ticks, isLast }: { readonly ticks: readonly Tick[]; readonly isLast: boolean },
): void {
  drawTimeAxis(plot, { hasLabels: isLast });
  drawValueAxis(panel, plot, ticks);
  if (ticks.length === 0) drawInMiddle("no values", plot);
  if (panel.mark === "line") drawLines(panel, plot);
  else drawStacks(panel, plot);
}

function drawInMiddle(text: string, { canvas, left, top, width, height, look }: PlotCells): void {
  const x = left + Math.max(0, Math.floor((width - text.length) / 2));
  canvas.write(x, top + Math.floor(height / 2), { text, style: look.pens.dim });
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

function drawLegend(canvas: CellGrid, legend: Legend, { left, top, width }: Place): void {
  let x = left;
  if (legend.figures.length > 0) {
    for (const column of fitLegendColumns(legend, width)) {
      drawColumn(canvas, { legend, column, x, y: top });
      x += column.width + ENTRY_GAP;
    }
    return;
  }
  for (const [row, entries] of flowEntries(legend, width).entries()) {
    x = left;
    for (const entry of entries) {
      drawName(canvas, { entry, x, y: top + row });
      x += MARK_WIDTH + measureChartText(entry.name) + ENTRY_GAP;
    }
  }
}

interface Position {
  readonly x: number;
  readonly y: number;
}

function drawColumn(
  canvas: CellGrid,
  { legend, column, x, y }: Position & { readonly legend: Legend; readonly column: LegendColumn },
): void {
  const drawFigures = (texts: readonly string[], row: number, style?: string) => {
    let right = x + MARK_WIDTH + column.nameWidth;
    for (const [index, text] of texts.entries()) {
      right += legend.gap + (column.figureWidths[index] ?? 0);
      canvas.write(right - text.length, row, { text, style });
    }
  };
  drawFigures(legend.figures, y, legend.titleStyle);
  for (const [index, entry] of column.entries.entries()) {
    drawName(canvas, { entry, x, y: y + 1 + index });
    drawFigures(entry.figures, y + 1 + index);
  }
}

function drawName(canvas: CellGrid, { entry, x, y }: Position & { readonly entry: LegendEntry }): void {
  canvas.write(x, y, { text: entry.mark, style: entry.style });
  canvas.write(x + MARK_WIDTH, y, { text: entry.name });
}
