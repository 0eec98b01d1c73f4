/** chart: a picture in a terminal, drawn with dot and block characters. */
import { DEFAULT_SCREEN, wrapText } from "../../../base/terminal.ts";
import { condense } from "../model/condense.ts";
import { type Picture, listLegendPanels, type Panel, printUnit, type TimeAxis } from "../model/picture.ts";
import { DOTS, drawLines } from "./draw-lines.ts";
import { type Format, type FormatOptions, joinTexts, type OutputScreen } from "../../format.ts";
import { createPictureFormat } from "../picture-format.ts";
import { formatList } from "../../../base/phrases.ts";
import {
  type Arrangement,
  chooseRoomy,
  listArrangements,
  type PlotPlace,
  placePlots,
  type Surface,
} from "../model/arrange.ts";
import { fitFirst } from "../model/fit-names.ts";
import { listFolded } from "../model/fold.ts";
import type { Legend, LegendContent } from "../model/legend-layout.ts";
import { listCaptions, listTitles } from "../model/legend.ts";
import { composeTitle } from "../model/words.ts";
import { createRowScale, drawNow, drawSpikes, drawTimeAxis, drawValueAxis, listRowTicks } from "./axes.ts";
import { CellGrid, SGR } from "./canvas.ts";
import { drawStacks } from "./draw-stacks.ts";
import { ALONE, type ChartPanel, listLegendNames, type Plot, toChartPanel } from "./look.ts";
import { measureChartText, printCompact, toShownText } from "./text.ts";

const drawn = createPictureFormat((picture, { options, fold }) => {
  const { colorDepth, unicode } = options.screen;
  const size = findSize(options);
  const dots = size.width * DOTS.across;
  const dense = (whole: Picture) => condense(whole, { dots, points: dots });
  // Letters tell the series apart without colours.
  const drawing = {
    ...size,
    colorDepth: options.palette === "grey" ? (1 as const) : colorDepth,
    unicode,
    fold: (maxEntries: number) => dense(fold(maxEntries)),
  };
  return joinTexts(drawChart(dense(picture), drawing).map((line) => `${line}\n`));
});

export const chart: Format = { ...drawn, styled: true };

/** Rows left for the shell prompt; many prompts have two lines. */
const PROMPT_ROWS = 2;
/** The smallest size that a plot can be drawn in, in cells. */
const MIN_SIZE = { width: 24, height: 8 };

function findSize({ screen, linesAbove, width, height }: FormatOptions): {
  readonly width: number;
  readonly height: number;
} {
  const columns = width ?? screen.columns ?? DEFAULT_SCREEN.columns;
  const rows =
    height ?? (screen.rows === undefined ? DEFAULT_SCREEN.rows : screen.rows - PROMPT_ROWS - (linesAbove?.() ?? 0));
  return { width: Math.max(columns, MIN_SIZE.width), height: Math.max(rows, MIN_SIZE.height) };
}

export interface ChartOptions extends Pick<OutputScreen, "colorDepth" | "unicode"> {
  readonly width: number;
  readonly height: number;
  /** Returns the picture with fewer legend entries. */
  readonly fold: (maxEntries: number) => Picture;
}

/** Minimum size of a plot that shows a shape. */
const LEAST = { width: 8, height: 3 };
/** What all charts have in common, in cells. */
const SURFACE = {
  // Approximately: labels and line.
  left: 7,
  right: 0,
  gap: 2,
  legendGap: 2,
  // The line of the axis, and in the last row its labels.
  times: 2,
  below: 1,
  least: LEAST,
  // A cell is about twice as high as wide.
  flat: 5,
  round: Math.floor,
};
const LEGEND_STYLE = { measure: measureChartText, line: 1, mark: 2, gap: 2, figureGap: 2, print: printCompact };

/** Rows of a chart for each row of subtitle and notes. */
const ROWS_PER_TEXT = 9;
/** Charts lower than this do not say where the data are from: the figures of the legend need the room. */
const HIGH = 30;
/** Rows of a chart for each row about intervals that are not complete. */
const ROWS_PER_REMARK = 6;

/** Returns the lines of a chart: more than requested only if one plot with a few names does not fit. */
export function drawChart(picture: Picture, { fold, ...rest }: ChartOptions): string[] {
  const folded = new Map<number, Picture>();
  // To combine series takes time, and each number of them is tried with fewer and fewer texts and panels.
  const foldOnce = (entries: number) => {
    const known = folded.get(entries) ?? fold(entries);
    folded.set(entries, known);
    return known;
  };
  const options = { ...rest, fold: foldOnce };
  if (picture.panels.length === 0) return paintPage(layOutChart(picture, options), undefined);
  for (let count = picture.panels.length; count > 0; count--) {
    for (const isAlike of [true, false]) {
      const chosen = fitTexts(picture, options, { count, isAlike });
      if (chosen) return paintPage(chosen.page, chosen);
    }
  }
  const all = [true, false].flatMap((isAlike) => [
    ...listChartCandidates(picture, options, { count: 1, isAlike, fewer: LEAST_TEXTS }),
  ]);
  const last = all.at(-1) as ChartCandidate;
  return paintPage(last.page, { ...last, plotHeight: Math.max(last.plotHeight, LEAST.height) });
}

/** What of a picture is drawn: its first panels, with fewer entries, or what is drawn otherwise then. */
interface Extent {
  readonly count: number;
  readonly isAlike: boolean;
}

interface ChartCandidate extends Arrangement {
  readonly page: ChartPage;
}

const LEAST_TEXTS = { notes: [], source: undefined, subtitle: "" };
/** The texts that are left out in turn, where plots have too little room. */
const FEWER_TEXTS: readonly Partial<Picture>[] = [{}, { notes: [], source: undefined }, LEAST_TEXTS];
/** The part of the room that plots should have for which texts stay. */
const FAIR = 0.75;

function fitTexts(picture: Picture, options: ChartOptions, extent: Extent): ChartCandidate | undefined {
  let best: ChartCandidate | undefined;
  for (const fewer of FEWER_TEXTS) {
    const chosen = chooseRoomy(listChartCandidates(picture, options, { ...extent, fewer }));
    if (chosen && chosen.room > (best?.room ?? 0)) best = chosen;
    if (best && best.room >= FAIR) break;
  }
  return best;
}

function* listChartCandidates(
  picture: Picture,
  options: ChartOptions,
  { count, isAlike, fewer }: Extent & { readonly fewer: Partial<Picture> },
): Generator<ChartCandidate> {
  for (const smaller of listFolded(picture, options.fold, isAlike)) {
    const page = layOutChart({ ...keepPanels(smaller, count), ...fewer }, options);
    for (const arrangement of listArrangements(page.surface, page.legend)) yield { ...arrangement, page };
  }
}

/** The first panels; small multiples are drawn all or not at all. */
function keepPanels(picture: Picture, count: number): Picture {
  const all = picture.panels.length;
  if (picture.isSplit || count >= all) return picture;
  const panels = picture.panels.slice(0, count);
  const [first, ...others] = new Set(panels.map((panel) => panel.metrics));
  const metrics = formatList([first ?? "", ...others.map((title) => title.toLowerCase())], "and");
  const unit = count === 1 ? ` (${printUnit(panels[0] as Panel)})` : "";
  const sharesLegend = picture.sharesLegend && count > 1;
  const title = picture.hasOwnTitle ? picture.title : composeTitle(picture.subjectName, metrics) + unit;
  return { ...picture, title: `${title}, ${count} of ${all} panels`, panels, sharesLegend };
}

const LOWER_CASE = "lower-case letters: not complete, or a forecast";

/** The texts of a chart, and the space that they leave. */
interface ChartPage {
  readonly width: number;
  readonly panels: readonly ChartPanel[];
  readonly surface: Surface;
  readonly legend: LegendContent;
  readonly title: readonly string[];
  readonly subtitle: readonly string[];
  readonly notes: readonly string[];
  readonly time: TimeAxis;
  readonly isStyled: boolean;
}

function layOutChart(picture: Picture, options: ChartOptions): ChartPage {
  const { width, height, colorDepth, unicode } = options;
  const show = (text: string) => toShownText(text, unicode);
  const wrap = (text: string) => (text === "" ? [] : wrapText(show(text), { width, measure: measureChartText }));
  let room = Math.floor(height / ROWS_PER_TEXT);
  const fit = (lines: readonly string[]) => {
    if (lines.length > room) return [];
    room -= lines.length;
    return lines;
  };
  const subtitle = fit(wrap(picture.subtitle));
  const titles = listTitles(picture, subtitle.length > 0).map(wrap);
  const title = titles.find((lines) => lines.length <= 2) ?? titles.at(-1) ?? [];
  const names = listLegendNames(picture.panels);
  const panels = picture.panels.map((panel) => {
    const captions = picture.panels.length === 1 ? [] : listCaptions(picture, panel);
    return toChartPanel(panel, { captions: captions.map(show), names }, options);
  });
  const isLettered =
    picture.time.partial.length > 0 && panels.some(({ letters = [] }) => letters.some((letter) => letter !== ALONE));
  const remarks = [...picture.remarks, ...(isLettered ? [LOWER_CASE] : [])].flatMap(wrap);
  const needed = remarks.length <= Math.floor(height / ROWS_PER_REMARK) ? remarks : [];
  const said = picture.notes.flatMap((note) => fit(wrap(note)));
  const source = picture.source === undefined || height < HIGH ? [] : fit(wrap(picture.source));
  const notes = [...said, ...needed, ...source];
  const rows = height - title.length - subtitle.length - notes.length;
  const { isSplit, sharesLegend, time } = picture;
  return {
    width,
    panels,
    surface: {
      ...SURFACE,
      count: panels.length,
      maxColumns: isSplit ? 6 : 1,
      width,
      height: rows,
      legendWidth: width,
      enough: {
        width: Math.min(0.75 * width, width - SURFACE.left - SURFACE.gap),
        height: Math.ceil((panels.length > 1 ? 0.5 : 0.63) * height),
      },
      caption: panels.length > 1 ? 1 : 0,
    },
    legend: {
      panels: listLegendPanels(picture),
      style: { ...LEGEND_STYLE, maxName: width - LEGEND_STYLE.mark, show },
      sharesLegend,
    },
    title,
    subtitle,
    notes,
    time,
    isStyled: colorDepth > 1,
  };
}

function paintPage(page: ChartPage, arrangement: Arrangement | undefined): string[] {
  const canvas = new CellGrid(page.width, page.isStyled);
  let row = 0;
  const write = (lines: readonly string[], style: string) => {
    for (const text of lines) canvas.write(0, row++, { text, style });
  };
  write(page.title, SGR.bold);
  write(page.subtitle, SGR.dim);
  if (arrangement) row = paintPanels(canvas, page, { ...arrangement, top: row });
  else write(["no data"], SGR.dim);
  write(page.notes, SGR.dim);
  return [...canvas.lines()];
}

/** Draws panels row by row, with one time axis. Returns the row after them. */
function paintPanels(
  canvas: CellGrid,
  page: ChartPage,
  { legends, beside, columns, plotHeight, top }: Arrangement & { readonly top: number },
): number {
  const { panels, legend: content, surface, time } = page;
  const { sharesLegend } = content;
  const { gap, legendGap } = surface;
  const scaled = panels.map((plotted) => {
    const scale = createRowScale(plotted.panel, plotHeight);
    return { ...plotted, scale, ticks: listRowTicks(plotted.panel, scale) };
  });
  const left = 1 + Math.max(0, ...scaled.flatMap(({ ticks }) => ticks.map(({ text }) => text.length)));
  const right = beside > 0 ? beside + legendGap : 0;
  const width = Math.max(1, Math.floor((canvas.width - left - right - (columns - 1) * gap) / columns));
  const legendOf = ({ panel }: ChartPanel) => (sharesLegend ? undefined : legends[content.panels.indexOf(panel)]);
  const heights = panels.map((plotted) => (beside > 0 ? 0 : (legendOf(plotted)?.height ?? 0)));
  const { plots, end } = placePlots(
    surface,
    { columns, plotWidth: width, plotHeight },
    { left, top, legends: heights },
  );
  const legendLeft = beside > 0 ? canvas.width - beside : 0;
  for (const [index, plotted] of scaled.entries()) {
    const place = plots[index] as PlotPlace;
    const caption = fitFirst(plotted.captions, (text) => measureChartText(text) <= width);
    if (caption !== undefined) canvas.write(columns > 1 ? place.x : 0, place.top, { text: caption, style: SGR.bold });
    const plot = { ...plotted, canvas, left: place.x, top: place.y, width, height: plotHeight, time };
    paintPlot(plot, { ...place, isAlone: columns === 1 });
    const legend = legendOf(panels[index] as ChartPanel);
    if (legend) writeLegend(canvas, legend, { plotted, x: legendLeft, y: beside > 0 ? place.top : place.end });
  }
  const [shared] = sharesLegend ? legends : [];
  if (!shared) return end;
  writeLegend(canvas, shared, { plotted: panels[0] as ChartPanel, x: legendLeft, y: beside > 0 ? top : end });
  return beside > 0 ? end : end + shared.height;
}

interface LegendPlace {
  /** Whose legend it is. */
  readonly plotted: ChartPanel;
  readonly x: number;
  readonly y: number;
}

function writeLegend(canvas: CellGrid, { marks, texts }: Legend, { plotted, x: left, y: top }: LegendPlace): void {
  const { panel, letters, inks } = plotted;
  for (const { series, x, line } of marks) {
    const index = panel.series.indexOf(series);
    canvas.write(left + x, top + line, { text: letters?.[index] ?? "■", style: inks?.[index] });
  }
  for (const { text, x, line, isEnd, isMuted } of texts) {
    const start = isEnd ? x - text.length : x;
    canvas.write(left + start, top + line, { text, ...(isMuted ? { style: SGR.dim } : {}) });
  }
}

/** `isAlone`: no plot is beside it. */
function paintPlot(
  plot: Plot,
  { hasTimes, hasValues, isAlone }: Pick<PlotPlace, "hasTimes" | "hasValues"> & { readonly isAlone: boolean },
): void {
  drawTimeAxis(plot, { hasLabels: hasTimes, isAlone });
  drawValueAxis(plot, hasValues);
  if (plot.ticks.length === 0) drawInMiddle("no values", plot);
  if (plot.panel.mark === "line") drawLines(plot);
  else drawStacks(plot);
  drawSpikes(plot);
  drawNow(plot);
}

function drawInMiddle(text: string, { canvas, left, top, width, height }: Plot): void {
  const x = left + Math.max(0, Math.floor((width - text.length) / 2));
  canvas.write(x, top + Math.floor(height / 2), { text, style: SGR.dim });
}
