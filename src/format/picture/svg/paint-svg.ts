/** A picture as SVG. */
import type { Box, SvgFrame, LegendBox, PlotFrame } from "./frame.ts";
import { listTitles, orderLegend, printFigures } from "../model/legend.ts";
import { CHARACTER, fitText, FONT, LINE, SWATCH } from "./measure.ts";
import { element, escapeMarkup, openElement } from "./markup.ts";
import { drawMarks } from "./paths.ts";
import type { Panel, Picture } from "../model/picture.ts";

export const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/** On a light background. A page may give the classes other colours. */
const INK = "#24292f";
const MUTED = "#57606a";
const GRID = "#e4e7eb";
const AXIS = "#8c959f";
export const PAPER = "#ffffff";

/** Title, panels with their legends, and notes. */
export function* paintSvg({ title, subtitle, notes, panels }: Picture, frame: SvgFrame): Generator<string> {
  const { width } = frame;
  yield element("rect", { width, height: frame.height, fill: PAPER });
  yield text(fitText(title, (width - 40) / 1.7), { x: 20, y: 32, fill: INK, "font-size": 20, "font-weight": 600 });
  yield text(fitText(subtitle, width - 40), { x: 20, y: 52, fill: MUTED });
  yield* paintPlots(frame);
  for (const plot of frame.plots) if (plot.legend) yield* paintLegend(plot.panel, plot.legend);
  if (panels.length === 0)
    yield text("no data", { x: width / 2, y: frame.height / 2, fill: MUTED, "text-anchor": "middle", "font-size": 16 });
  for (const [index, note] of notes.entries())
    yield text(fitText(note, width - 40), { x: 20, y: frame.notesY + index * LINE, fill: MUTED });
}

/** The panels alone. Marks are numbered by panel and series. */
export function* paintPlots(frame: SvgFrame): Generator<string> {
  for (const [index, plot] of frame.plots.entries()) {
    yield openElement("g", { class: "panel", "data-panel": index });
    yield* paintAxes(plot, frame);
    yield* paintMarks(plot, frame);
    if (plot.valueTicks.length === 0) yield* paintEmpty(plot.box, "no values");
    if (plot.panel.domain[0] < 0) yield ruler("axis", plot.box, plot.y(0));
    yield "</g>\n";
  }
  for (const plot of frame.plots) if (plot.hasTimes) yield* paintTimes(frame, plot);
}

function* paintAxes({ panel, box, valueTicks, y }: PlotFrame, frame: SvgFrame): Generator<string> {
  const heading = frame.plots.length > 1 ? `${panel.title} (${panel.unit})` : panel.unit;
  yield text(heading, { class: "ink", x: box.x, y: box.y - 9, fill: INK, "font-weight": frame.plots.length > 1 ? 600 : undefined });
  for (const { at, text: label } of valueTicks) {
    yield ruler(at === 0 ? "axis" : "grid", box, y(at));
    yield text(label, { class: "muted", x: box.x - 8, y: y(at) + FONT / 3, fill: MUTED, "text-anchor": "end" });
  }
  for (const { at } of frame.timeTicks) {
    const x = frame.x(at);
    yield element("line", { class: "grid", x1: x, x2: x, y1: box.y, y2: box.y + box.height, stroke: GRID });
  }
}

/** In place of marks. */
export function* paintEmpty({ x, y, width, height }: Box, words: string): Generator<string> {
  yield text(words, { class: "muted", x: x + width / 2, y: y + height / 2, fill: MUTED, "text-anchor": "middle", "font-size": 16 });
}

function ruler(kind: "axis" | "grid", box: Box, y: number): string {
  return element("line", { class: kind, x1: box.x, x2: box.x + box.width, y1: y, y2: y, stroke: kind === "axis" ? AXIS : GRID });
}

const LINE_STYLE = { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round" };

function* paintMarks(plot: PlotFrame, { x }: SvgFrame): Generator<string> {
  const isLine = plot.panel.mark === "line";
  const width = plot.panel.series.length > 6 ? 1.3 : 1.8;
  for (const [index, { series, path, dots }] of drawMarks(plot, x).entries()) {
    const { colour } = series;
    const style = isLine ? { ...LINE_STYLE, stroke: colour, "stroke-width": width } : { fill: colour, stroke: colour, "stroke-width": 0.5 };
    yield openElement("g", { class: "series", "data-series": index });
    yield element("title", {}, escapeMarkup(series.name));
    if (path !== "") yield element("path", { d: path, ...style });
    if (dots !== "") yield element("path", { d: dots, ...LINE_STYLE, stroke: colour, "stroke-width": 6 });
    yield "</g>\n";
  }
}

function* paintTimes({ timeTicks, x, width }: SvgFrame, { box }: PlotFrame): Generator<string> {
  const y = box.y + box.height;
  for (const { at, text: label } of timeTicks) {
    const half = (label.length * CHARACTER) / 2;
    yield element("line", { class: "axis", x1: x(at), x2: x(at), y1: y, y2: y + 4, stroke: AXIS });
    yield text(label, { class: "muted", x: Math.min(x(at), width - half - 2), y: y + 18, fill: MUTED, "text-anchor": "middle" });
  }
}

function* paintLegend(panel: Panel, { x, y, width, columns }: LegendBox): Generator<string> {
  const ends = columns.map((_, index) => x + width - columns.slice(index + 1).reduce((sum, column) => sum + column, 0));
  const right = (index: number) => ({ x: ends[index], "text-anchor": "end" });
  const nameWidth = columns.reduce((rest, column) => rest - column, width - SWATCH);
  for (const [index, title] of listTitles(panel).entries()) yield text(title, { y: y + FONT, fill: MUTED, ...right(index) });
  for (const [row, series] of orderLegend(panel).entries()) {
    const baseline = y + FONT + LINE * (row + 1);
    const name = fitText(series.name, nameWidth);
    yield element("rect", { x, y: baseline - 10, width: 11, height: 11, rx: 2, fill: series.colour });
    yield text(name, { x: x + SWATCH, y: baseline, fill: INK }, name === series.name ? undefined : series.name);
    for (const [index, figure] of printFigures(series).entries()) yield text(figure, { y: baseline, fill: INK, ...right(index) });
  }
}

function text(content: string, attributes: Readonly<Record<string, string | number | undefined>>, title?: string): string {
  const whole = title === undefined ? "" : element("title", {}, escapeMarkup(title));
  return `${element("text", attributes, escapeMarkup(content) + whole)}\n`;
}
