/** Panels one under the other, with one time axis. */
import type { TimeAxis } from "../picture/picture.ts";
import type { Scale, Tick } from "../picture/scales.ts";
import { type Arrangement, LEGEND_GAP } from "./arrange.ts";
import { createRowScale, drawTimeAxis, drawValueAxis, listRowTicks } from "./axes.ts";
import type { Canvas } from "./canvas.ts";
import { countRows, type Legend } from "./legend.ts";
import { drawLegend } from "./legend-draw.ts";
import { drawLines } from "./lines.ts";
import type { PanelLook } from "./look.ts";
import type { Plot } from "./plot.ts";
import { drawStacks } from "./stacks.ts";

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
export function paintPanels(canvas: Canvas, { time, panels, hasCaptions, top, arrangement }: Panels): number {
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
  plot: Plot,
  { ticks, isLast }: { readonly ticks: readonly Tick[]; readonly isLast: boolean },
): void {
  drawTimeAxis(plot, { hasLabels: isLast });
  drawValueAxis(panel, plot, ticks);
  if (ticks.length === 0) drawInMiddle("no values", plot);
  if (panel.mark === "line") drawLines(panel, plot);
  else drawStacks(panel, plot);
}

function drawInMiddle(text: string, { canvas, left, top, width, height, look }: Plot): void {
  const x = left + Math.max(0, Math.floor((width - text.length) / 2));
  canvas.write(x, top + Math.floor(height / 2), { text, style: look.pens.dim });
}
