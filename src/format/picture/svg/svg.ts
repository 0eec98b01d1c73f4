/** svg: the picture as a standalone drawing on a light background. */
import { joinTexts } from "../../format.ts";
import type { Picture, Panel, PictureSeries, Spike, Style, TimeAxis } from "../model/picture.ts";
import { type DrawContext, createPictureFormat } from "../picture-format.ts";
import { layOutPage } from "./frame.ts";
import { condenseFor } from "./placement.ts";
import { element, escapeMarkup, openElement, type Attributes, measureText, round } from "./markup.ts";
import type { Box, PlotFrame, SvgFrame } from "./page.ts";
import type { LegendBox } from "./legend-box.ts";
import { drawMarks } from "./marks.ts";
import { fitFirst } from "../model/fit-names.ts";
import { describeSpike, placeText } from "../model/time-ticks.ts";
import { hcl } from "d3-color";

export const svg = createPictureFormat((picture, painting) => joinTexts(drawSvg(picture, painting)));

export function* drawSvg(picture: Picture, { options, fold }: DrawContext): Generator<string> {
  const frame = layOutPage(condenseFor(options, picture), options, (maxEntries) =>
    condenseFor(options, fold(maxEntries)),
  );
  const { width = frame.width, height = frame.height } = options;
  yield openElement("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${Math.ceil(frame.width)} ${Math.ceil(frame.height)}`,
    role: "img",
    "font-family": FONTS,
    "font-size": frame.sizes.font,
  });
  yield `\n${element("title", {}, escapeMarkup(picture.title))}\n`;
  yield `${element("desc", {}, escapeMarkup([picture.subtitle, ...picture.notes, ...picture.remarks, picture.source].filter((text) => text !== undefined).join("; ")))}\n`;
  yield* paintSvg(frame, picture.time);
  yield "</svg>\n";
}

export const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/** Colours for a light background; a page may override them by class. */
const INK = "#24292f";
const MUTED = "#57606a";
const GRID = "#e4e7eb";
const AXIS = "#8c959f";
const PAPER = "#ffffff";

/** Width of the line in a legend that shows how a line is dashed. */
export const DASH_SAMPLE = 15;

/** The mark before a name in a legend. `size`: of a square one. */
export function paintSwatch(
  { colour, dash, hatch }: Style,
  { x, y, size, ...place }: { x: number; y: number; size: number } & Attributes,
): string {
  if (dash === undefined)
    return element("rect", { x, y, width: size, height: size, rx: 2, fill: fillOf({ colour, hatch }), ...place });
  const d = `M${round(x)},${round(y + size / 2)}h${DASH_SAMPLE}`;
  return element("path", { d, stroke: colour, "stroke-width": 2, "stroke-dasharray": dash || undefined, ...place });
}

function fillOf({ colour, hatch }: Pick<Style, "colour" | "hatch">): string {
  return hatch ? `url(#${nameHatch(colour, hatch)})` : colour;
}

function nameHatch(colour: string, hatch: number): string {
  return `hatch${hatch}-${colour.slice(1)}`;
}

/** In squares of six pixels. */
const HATCH_PATHS: Readonly<Record<number, string>> = {
  1: "M-1,1l2,-2M0,6l6,-6M5,7l2,-2",
  2: "M-1,5l2,2M0,0l6,6M5,-1l2,2",
  3: "M3,0v6",
  4: "M0,3h6",
};

/** Defines the hatches of a picture, which its marks refer to. */
export function* paintHatches(panels: readonly Panel[]): Generator<string> {
  const used = panels.flatMap(({ series }) => series.filter(({ hatch }) => hatch));
  const hatches = new Map(used.map(({ colour, hatch = 0 }) => [nameHatch(colour, hatch), { colour, hatch }]));
  for (const [id, { colour, hatch }] of hatches) {
    const stroke = hcl(colour).l < 50 ? "#ffffff" : "#000000";
    const ground = element("rect", { width: 6, height: 6, fill: colour });
    const lines = element("path", { d: HATCH_PATHS[hatch], stroke, "stroke-width": 1 });
    yield element("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse" }, ground + lines);
  }
}

/** Paints title, panels with their legends, and notes. */
function* paintSvg(frame: SvgFrame, time: TimeAxis): Generator<string> {
  const { width, height, sizes, heading, notes, plots } = frame;
  const x = sizes.font;
  yield element("rect", { width, height, fill: PAPER });
  yield* paintHatches(plots.map(({ panel }) => panel));
  for (const { text: words, y, isTitle } of heading)
    yield drawText(
      words,
      isTitle ? { x, y, fill: INK, "font-size": sizes.title, "font-weight": 600 } : { x, y, fill: MUTED },
    );
  yield* paintPlots(frame, time);
  for (const legend of frame.legends) yield* paintLegend(legend, frame);
  if (plots.length === 0)
    yield drawText("no data", {
      x: width / 2,
      y: height / 2,
      fill: MUTED,
      "text-anchor": "middle",
      "font-size": sizes.title,
    });
  for (const { text: words, y } of notes) yield drawText(words, { x, y, fill: MUTED });
}

/** Paints only the panels. Marks carry the numbers of their panel and series. */
export function* paintPlots(frame: SvgFrame, time: TimeAxis, hasCursors = false): Generator<string> {
  for (const [index, plot] of frame.plots.entries()) {
    yield openElement("g", { class: "panel", "data-panel": index });
    yield* paintAxes(plot, frame);
    yield* paintMarks(plot);
    yield* paintPartial(plot, time);
    if (time.now !== undefined) yield* paintNow(time.now, plot, frame);
    for (const spike of plot.panel.spikes) yield* paintSpike(spike, plot, { frame, time });
    if (plot.valueTicks.length === 0) yield* paintEmpty(plot.box, "no values");
    if (plot.panel.domain[0] < 0) yield ruler("axis zero", plot.box, plot.y(0));
    if (hasCursors) yield paintCursor(plot.box);
    yield "</g>\n";
  }
}

function* paintAxes(
  { caption, box, valueTicks, x, y, hasValues, hasTimes, timeRoom }: PlotFrame,
  frame: SvgFrame,
): Generator<string> {
  const { font, line } = frame.sizes;
  const bottom = box.y + box.height;
  if (caption !== undefined)
    yield drawText(caption, { class: "ink", x: box.x, y: box.y - line * 0.35, fill: INK, "font-weight": 600 });
  yield '<g class="values">';
  for (const { at, text: label } of valueTicks) {
    yield ruler(at === 0 ? "axis" : "grid", box, y(at));
    if (hasValues)
      yield drawText(label, { class: "muted", x: box.x - 6, y: y(at) + font / 3, fill: MUTED, "text-anchor": "end" });
  }
  yield "</g>";
  for (const tick of frame.timeTicks) {
    const atX = x(tick.at);
    yield element("line", { class: "grid", x1: atX, x2: atX, y1: box.y, y2: bottom, stroke: GRID });
    if (!hasTimes) continue;
    yield element("line", { class: "axis", x1: atX, x2: atX, y1: bottom, y2: bottom + 4, stroke: AXIS });
    yield drawText(tick.text, {
      class: "muted",
      x: placeText(tick, x, timeRoom),
      y: bottom + line * 0.95,
      fill: MUTED,
      "text-anchor": "middle",
    });
  }
}

/** Paints words in place of marks. */
export function* paintEmpty({ x, y, width, height }: Box, words: string): Generator<string> {
  yield drawText(words, {
    class: "muted",
    x: x + width / 2,
    y: y + height / 2,
    fill: MUTED,
    "text-anchor": "middle",
    "font-size": 16,
  });
}

function ruler(kind: "axis" | "axis zero" | "grid", box: Box, y: number): string {
  return element("line", {
    class: kind,
    x1: box.x,
    x2: box.x + box.width,
    y1: y,
    y2: y,
    stroke: kind === "grid" ? GRID : AXIS,
  });
}

/** A line that a page's script moves. */
function paintCursor({ y, height }: Box): string {
  return element("line", {
    class: "axis cursor",
    y1: y,
    y2: y + height,
    visibility: "hidden",
    "pointer-events": "none",
  });
}

/** Makes the parts of a plot lighter that have only a part of their data. */
function* paintPartial({ box, x }: PlotFrame, { partial }: TimeAxis): Generator<string> {
  for (const [start, end] of partial) {
    const [from, to] = [Math.max(box.x, x(start)), Math.min(box.x + box.width, x(end))];
    yield element("rect", {
      class: "veil",
      x: from,
      y: box.y,
      width: Math.max(0, to - from),
      height: box.height,
      fill: PAPER,
      "fill-opacity": 0.55,
    });
  }
}

/** Marks the instant from which on all is forecast. */
function* paintNow(now: number, { box, x, panel }: PlotFrame, { sizes: { font } }: SvgFrame): Generator<string> {
  const at = x(now);
  yield element("line", {
    class: "axis now",
    x1: at,
    x2: at,
    y1: box.y,
    y2: box.y + box.height,
    stroke: AXIS,
    "stroke-dasharray": "3 3",
  });
  const isFree = panel.spikes.length === 0 && at + measureText(" now", font) < box.x + box.width;
  if (isFree) yield drawText("now", { class: "muted", x: at + font / 3, y: box.y + font, fill: MUTED });
}

/** Writes how far a value goes that is cut off at the edge, where, and when. */
function* paintSpike(
  spike: Spike,
  { box, markX: x }: PlotFrame,
  { frame: { sizes }, time }: { frame: SvgFrame; time: TimeAxis },
): Generator<string> {
  const at = x(spike.time);
  const { font } = sizes;
  const isHigh = spike.value > 0;
  const edge = isHigh ? box.y : box.y + box.height;
  const out = isHigh ? -1 : 1;
  const room = Math.max(at - box.x, box.x + box.width - at) - font;
  const words = fitFirst(describeSpike(spike, time), (text) => measureText(text, font) <= room) ?? "";
  const fitsRight = at + font + measureText(words, font) < box.x + box.width;
  const triangle = `M${round(at)},${round(edge + out * 2)}l${font / 3},${-out * font * 0.6}h${(-font / 3) * 2}z`;
  yield element("path", { class: "spike", d: triangle, fill: INK });
  yield drawText(words, {
    class: "ink",
    x: fitsRight ? at + font * 0.6 : at - font * 0.6,
    y: isHigh ? edge + font * 0.7 : edge - font * 0.1,
    fill: INK,
    "text-anchor": fitsRight ? undefined : "end",
  });
}

const LINE_STYLE = { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round" };

function* paintMarks(plot: PlotFrame): Generator<string> {
  const { mark, series } = plot.panel;
  const width = series.length > 6 ? 1.3 : 1.8;
  const marks = drawMarks(plot).map((paths, index) => ({ ...(series[index] as PictureSeries), ...paths, index }));
  // Under all lines.
  for (const { range, colour, index } of marks)
    if (range !== "")
      yield element("path", { class: "range", "data-series": index, d: range, fill: colour, "fill-opacity": 0.22 });
  for (const { path, dots, picked, colour, dash, hatch, name, index } of marks) {
    const dashed = dash ? { "stroke-dasharray": dash, "stroke-linecap": "butt" } : {};
    const style =
      mark === "line"
        ? { ...LINE_STYLE, stroke: colour, "stroke-width": width, ...dashed }
        : { fill: fillOf({ colour, hatch }), stroke: colour, "stroke-width": 0.5 };
    yield openElement("g", { class: "series", "data-series": index });
    yield element("title", {}, escapeMarkup(name));
    if (path !== "") yield element("path", { d: path, ...style });
    if (dots !== "") yield element("path", { d: dots, ...LINE_STYLE, stroke: colour, "stroke-width": 6 });
    if (picked !== "") yield element("path", { d: picked, ...LINE_STYLE, stroke: colour, "stroke-width": 7 });
    yield "</g>\n";
  }
}

function* paintLegend({ swatches, texts }: LegendBox, { sizes }: SvgFrame): Generator<string> {
  for (const { series, x, y } of swatches) yield paintSwatch(series, { x, y, size: sizes.font * 0.9 });
  for (const { text: words, x, y, isEnd, isMuted } of texts)
    yield drawText(words, { x, y, fill: isMuted ? MUTED : INK, "text-anchor": isEnd ? "end" : undefined });
}

function drawText(content: string, attributes: Attributes): string {
  return `${element("text", attributes, escapeMarkup(content))}\n`;
}
