/** Paints a picture as SVG, with series as paths. */
import { range, sum } from "d3-array";
import { area, line } from "d3-shape";
import type { Box, SvgFrame, LegendBox, PlotFrame } from "./frame.ts";
import { listTitles, orderLegend, printFigures } from "../model/legend.ts";
import { type Attributes, CHARACTER, fitText, FONT, LINE, SWATCH, element, escapeMarkup, openElement, round } from "./markup.ts";
import type { NumberLine } from "../../../series/number-line.ts";
import type { Panel, Picture, PictureSeries } from "../model/picture.ts";
import { isBelow, type Layer, sampleLine, type Stack, stackPanel } from "../model/sample.ts";

export const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/** Colours for a light background; a page may override them by class. */
const INK = "#24292f";
const MUTED = "#57606a";
const GRID = "#e4e7eb";
const AXIS = "#8c959f";
const PAPER = "#ffffff";

/** Paints title, panels with their legends, and notes. */
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

/** Paints only the panels. Marks carry the numbers of their panel and series. */
export function* paintPlots(frame: SvgFrame): Generator<string> {
  for (const [index, plot] of frame.plots.entries()) {
    yield openElement("g", { class: "panel", "data-panel": index });
    yield* paintAxes(plot, frame);
    yield* paintMarks(plot);
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

/** Paints words in place of marks. */
export function* paintEmpty({ x, y, width, height }: Box, words: string): Generator<string> {
  yield text(words, { class: "muted", x: x + width / 2, y: y + height / 2, fill: MUTED, "text-anchor": "middle", "font-size": 16 });
}

function ruler(kind: "axis" | "grid", box: Box, y: number): string {
  return element("line", { class: kind, x1: box.x, x2: box.x + box.width, y1: y, y2: y, stroke: kind === "axis" ? AXIS : GRID });
}

const LINE_STYLE = { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round" };

function* paintMarks(plot: PlotFrame): Generator<string> {
  const { mark, series } = plot.panel;
  const width = series.length > 6 ? 1.3 : 1.8;
  for (const [index, { path, dots }] of drawMarks(plot).entries()) {
    const { colour, name } = series[index] as PictureSeries;
    const style =
      mark === "line" ? { ...LINE_STYLE, stroke: colour, "stroke-width": width } : { fill: colour, stroke: colour, "stroke-width": 0.5 };
    yield openElement("g", { class: "series", "data-series": index });
    yield element("title", {}, escapeMarkup(name));
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
  const right = (index: number) => ({ x: x + width - sum(columns.slice(index + 1)), "text-anchor": "end" });
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

function text(content: string, attributes: Attributes, title?: string): string {
  const whole = title === undefined ? "" : element("title", {}, escapeMarkup(title));
  return `${element("text", attributes, escapeMarkup(content) + whole)}\n`;
}

interface MarkPath {
  readonly path: string;
  /** Points between two gaps, which no line reaches, as a path of dots. */
  readonly dots: string;
}

/** Draws one path per series. */
function drawMarks(plot: PlotFrame): MarkPath[] {
  if (plot.panel.mark === "line") return plot.panel.series.map((series) => drawLine(series, plot));
  const stacked = stackMarks(plot);
  const draw = stacked.ends ? drawColumns : drawArea;
  return stacked.layers.map((layer) => ({ path: draw(layer, stacked, plot), dots: "" }));
}

/** Minimum width of a column, in pixels; narrower ones would blur and are drawn as an area. */
const MIN_COLUMN = 3;

/** Stacks the series of a panel; `ends` is set only if they are drawn as columns. */
export function stackMarks({ panel, x }: PlotFrame): Stack {
  const stacked = stackPanel(panel, x);
  const { times, ends } = stacked;
  const width = ends && (x(ends.at(-1) ?? 0) - x(times[0] ?? 0)) / times.length;
  return width !== undefined && width < MIN_COLUMN ? { ...stacked, ends: undefined } : stacked;
}

function drawLine(series: NumberLine, { x, y }: PlotFrame): MarkPath {
  const { times, values } = sampleLine(series, x);
  const isMissing = (index: number) => Number.isNaN(values[index] ?? Number.NaN);
  const at = (index: number) => [x(times[index] as number), y(values[index] as number)] as const;
  const path = line<number>()
    .digits(1)
    .defined((index) => !isMissing(index))
    .x((index) => at(index)[0])
    .y((index) => at(index)[1])(times.keys());
  const alone = [...times.keys()].filter((index) => !isMissing(index) && isMissing(index - 1) && isMissing(index + 1));
  return { path: path ?? "", dots: alone.map((index) => `M${at(index).map(round).join(",")}h0`).join("") };
}

function drawArea({ bands }: Layer, { times }: Stack, { x, y }: PlotFrame): string {
  const draw = area<number>()
    .digits(1)
    .defined((index) => !Number.isNaN(bands[index]?.[1]))
    .x((index) => x(times[index] as number))
    .y0((index) => y(bands[index]?.[0] as number))
    .y1((index) => y(bands[index]?.[1] as number));
  // Split where a band changes sides of the axis: a single area would cross everything between.
  const crossings = [...times.keys()].filter((index) => index > 0 && isBelow(bands[index]) !== isBelow(bands[index - 1]));
  const ends = [...crossings, times.length];
  return ends.map((end, index) => draw(range(ends[index - 1] ?? 0, end)) ?? "").join("");
}

/** Fraction of a column's width left free, if columns are wide enough. */
const FREE = 0.15;

function drawColumns({ bands }: Layer, { times, ends = times }: Stack, { x, y }: PlotFrame): string {
  const columns = bands.map(([low, high], index) => {
    const start = x(times[index] as number);
    const width = x(ends[index] as number) - start;
    const free = width > 4 ? width * FREE : 0;
    if (Number.isNaN(high) || high === low) return "";
    const [top, bottom] = [y(high), y(low)];
    return `M${round(start + free / 2)},${round(bottom)}h${round(width - free)}V${round(top)}h${round(free - width)}z`;
  });
  return columns.join("");
}
