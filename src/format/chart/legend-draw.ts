import type { Canvas } from "./canvas.ts";
import { ENTRY_GAP, type Entry, fitColumns, flowEntries, type Legend, type LegendColumn, MARK_WIDTH } from "./legend.ts";
import { measureText } from "./text.ts";

export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

export function drawLegend(canvas: Canvas, legend: Legend, { left, top, width }: Place): void {
  let x = left;
  if (legend.figures.length > 0) {
    for (const column of fitColumns(legend, width)) {
      drawColumn(canvas, { legend, column, x, y: top });
      x += column.width + ENTRY_GAP;
    }
    return;
  }
  for (const [row, entries] of flowEntries(legend, width).entries()) {
    x = left;
    for (const entry of entries) {
      drawName(canvas, { entry, x, y: top + row });
      x += MARK_WIDTH + measureText(entry.name) + ENTRY_GAP;
    }
  }
}

interface Position {
  readonly x: number;
  readonly y: number;
}

function drawColumn(canvas: Canvas, { legend, column, x, y }: Position & { readonly legend: Legend; readonly column: LegendColumn }): void {
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

function drawName(canvas: Canvas, { entry, x, y }: Position & { readonly entry: Entry }): void {
  canvas.write(x, y, { text: entry.mark, style: entry.style });
  canvas.write(x + MARK_WIDTH, y, { text: entry.name });
}
