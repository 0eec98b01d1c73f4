/** Draws a picture in terminal cells. */
import { wrapText } from "../../../base/terminal.ts";
import type { OutputScreen } from "../../format.ts";
import type { Picture, TimeAxis } from "../model/picture.ts";
import { type Arrangement, arrange, type ChartContent, LEGEND_GAP, arrangeOverflowing } from "./arrange.ts";
import { createRowScale, drawTimeAxis, drawValueAxis, listRowTicks } from "./axes.ts";
import { CellGrid, SGR } from "./canvas.ts";
import { drawLines } from "./draw-lines.ts";
import { drawStacks } from "./draw-stacks.ts";
import { type Plot, toChartPanel } from "./look.ts";
import { measureChartText, toShownText } from "./text.ts";

export interface ChartOptions extends Pick<OutputScreen, "colorDepth" | "unicode"> {
  readonly width: number;
  readonly height: number;
  /** Returns the picture with fewer legend entries. */
  readonly fold: (maxEntries: number) => Picture;
}

/** Minimum rows for subtitle, notes and a line for the unit. */
const MIN_ROWS_FOR_TEXTS = 16;
/** Numbers of legend entries to try if all of them leave no space for a plot. */
const FEWER = [8, 6, 5, 4, 3];

/** Returns the lines of a chart: more than requested only if one plot with a few names does not fit. */
export function drawChart(picture: Picture, options: ChartOptions): string[] {
  let page = layOut(picture, options);
  if (picture.panels.length === 0) return paintPage(page, undefined);
  for (const smaller of listSmaller(picture, options)) {
    page = layOut(smaller, options);
    const arrangement = arrange(page);
    if (arrangement) return paintPage(page, arrangement);
  }
  return paintPage(page, arrangeOverflowing(page));
}

/** Yields the picture with fewer and fewer entries, then with fewer panels. */
function* listSmaller(picture: Picture, { fold }: ChartOptions): Generator<Picture> {
  const most = Math.max(...picture.panels.map(({ series }) => series.length));
  const pictures = [picture, ...FEWER.filter((entries) => entries < most).map(fold)];
  for (let count = picture.panels.length; count > 0; count--) {
    const rest = picture.panels.slice(count).map((panel) => panel.title.toLowerCase());
    const title = rest.length === 0 ? picture.title : `${picture.title}; no room for ${rest.join(", ")}`;
    for (const one of pictures) yield { ...one, title, panels: one.panels.slice(0, count) };
  }
}

/** The texts of a chart, and the space that they leave. */
interface Page extends ChartContent {
  readonly title: readonly string[];
  readonly subtitle: readonly string[];
  readonly notes: readonly string[];
  readonly time: TimeAxis;
  readonly isStyled: boolean;
}

function layOut(picture: Picture, options: ChartOptions): Page {
  const { width, height, colorDepth, unicode } = options;
  const show = (text: string) => toShownText(text, unicode);
  const wrap = (text: string) => wrapText(show(text), { width, measure: measureChartText });
  const isRoomy = height >= MIN_ROWS_FOR_TEXTS;
  const [only] = picture.panels.length === 1 ? picture.panels : [];
  const title = wrap(only && !isRoomy ? `${picture.title}, ${only.unit}` : picture.title);
  // Subtitle and notes may use as many rows as each panel.
  let room = Math.floor(height / (2 + picture.panels.length)) - title.length;
  const fit = (lines: readonly string[]) => {
    if (!isRoomy || lines.length > room) return [];
    room -= lines.length;
    return lines;
  };
  const subtitle = fit(wrap(picture.subtitle));
  const notes = picture.notes.flatMap((note) => fit(wrap(note)));
  const hasCaptions = isRoomy || !only;
  const panels = picture.panels.map((panel) => {
    const caption = show(only ? panel.unit : `${panel.title}, ${panel.unit}`);
    return toChartPanel(panel, hasCaptions ? caption : undefined, options);
  });
  // Captions, the base line of each panel, and the times below the last one.
  const frameRows = panels.length * (hasCaptions ? 2 : 1) + 1;
  const rows = height - title.length - subtitle.length - notes.length - frameRows;
  return { width, rows, panels, title, subtitle, notes, time: picture.time, isStyled: colorDepth > 1 };
}

const SHORT = "statistics hidden (window too small)";

function paintPage(page: Page, arrangement: Arrangement | undefined): string[] {
  const canvas = new CellGrid(page.width, page.isStyled);
  let row = 0;
  const write = (lines: readonly string[], style: string) => {
    for (const text of lines) canvas.write(0, row++, { text, style });
  };
  write(page.title, SGR.bold);
  write(page.subtitle, SGR.dim);
  if (arrangement) row = paintPanels(canvas, page, { ...arrangement, top: row });
  else write(["no data"], SGR.dim);
  write(arrangement?.isShort ? [...page.notes, SHORT] : page.notes, SGR.dim);
  return [...canvas.lines()];
}

/** Draws panels from top to bottom, with one time axis. Returns the row after them. */
function paintPanels(
  canvas: CellGrid,
  { panels, time }: Page,
  { legends, beside, plotRows, top }: Arrangement & { readonly top: number },
): number {
  const scaled = panels.map((one) => {
    const scale = createRowScale(one.panel, plotRows);
    return { ...one, scale, ticks: listRowTicks(one.panel, scale) };
  });
  const left = 1 + Math.max(0, ...scaled.flatMap(({ ticks }) => ticks.map(({ text }) => text.length)));
  const width = Math.max(1, canvas.width - left - (beside > 0 ? beside + LEGEND_GAP : 0));
  let row = top;
  for (const [index, one] of scaled.entries()) {
    if (one.caption !== undefined) canvas.write(0, row++, { text: one.caption, style: SGR.dim });
    const isLast = index === panels.length - 1;
    paintPlot({ ...one, canvas, left, top: row, width, height: plotRows, time }, isLast);
    const legend = legends[index] as Arrangement["legends"][number];
    const below = row + plotRows + (isLast ? 2 : 1);
    const [legendX, legendY] = beside > 0 ? [canvas.width - beside, row] : [0, below];
    for (const { x, y, ...text } of legend.texts) canvas.write(legendX + x, legendY + y, text);
    row = beside > 0 ? below : below + legend.rows;
  }
  return row;
}

function paintPlot(plot: Plot, isLast: boolean): void {
  drawTimeAxis(plot, isLast);
  drawValueAxis(plot);
  if (plot.ticks.length === 0) drawInMiddle("no values", plot);
  if (plot.panel.mark === "line") drawLines(plot);
  else drawStacks(plot);
}

function drawInMiddle(text: string, { canvas, left, top, width, height }: Plot): void {
  const x = left + Math.max(0, Math.floor((width - text.length) / 2));
  canvas.write(x, top + Math.floor(height / 2), { text, style: SGR.dim });
}
