/** Where plots and legends may stand on a page, and how much room that leaves for the plots. */
import { max, range } from "d3-array";
import { wrapText } from "../../../base/terminal.ts";
import type { FormatOptions } from "../../format.ts";
import { bestGrid, type PlotGrid, type Surface } from "../model/arrange.ts";
import { fitNames } from "../model/fit-names.ts";
import { listLegendPanels, type Panel, type Picture } from "../model/picture.ts";
import { createValueScale, listValueTicks, MAX_TICKS } from "../model/scales.ts";
import { FIGURE_CHOICES, type FigureChoice, measureBeside, placeBelow } from "./legend-box.ts";
import { condense } from "../model/condense.ts";
import { listTitles } from "../model/legend.ts";
import { LARGE_TEXT, measureText, measureTexts, SMALL_TEXT, type TextSizes } from "./markup.ts";
import type { SvgFrame } from "./page.ts";

export type PageSize = Pick<FormatOptions, "width" | "height">;

const DEFAULT_WIDTH = 960;

/** A line is about two pixels wide. */
export function condenseFor({ width = DEFAULT_WIDTH }: PageSize, picture: Picture): Picture {
  return condense(picture, { dots: width, points: width / 2 });
}

/** Pages narrower than this have small text. */
const SMALL = 640;
/** Minimum size of a plot. */
const LEAST = { width: 80, height: 60 };
/**
 * Ends of an axis are rounded as if there were at least this many ticks: coarser ones would leave much of a low plot
 * empty.
 */
export const ROUNDING = 5;

/**
 * The part of a page that plots should have at least: more on a small one, where a legend without figures is enough.
 */
export function leastPart(width: number, panels: number): number {
  return (width < SMALL ? 0.65 : 0.58) - (panels > 1 ? 0.08 : 0);
}

export interface SvgPage {
  readonly picture: Picture;
  readonly width: number;
  readonly height: number;
  readonly sizes: TextSizes;
  readonly margin: number;
  /** Width of the value axis. */
  readonly axis: number;
  readonly heading: SvgFrame["heading"];
  readonly notes: readonly string[];
  /** Heights above and below plots and legends. */
  readonly top: number;
  readonly bottom: number;
  /** The panels that have a legend. */
  readonly legendPanels: readonly Panel[];
}

export function measurePage(picture: Picture, options: PageSize): SvgPage {
  const { panels, isSplit } = picture;
  const rows = isSplit ? 1 : panels.length;
  const { width = DEFAULT_WIDTH, height = rows <= 1 ? 540 : 160 + 240 * rows } = options;
  const sizes = width < SMALL ? SMALL_TEXT : LARGE_TEXT;
  const margin = width < SMALL ? 8 : 16;
  const room = width - 2 * margin;
  const line = { room, measure: (text: string) => measureText(text, sizes.font) };
  const titleLine = { room, measure: (text: string) => BOLD * measureText(text, sizes.title) };
  const subtitles = height < LOW ? [] : wrap(picture.subtitle, line);
  const [title = "", ...shorter] = listTitles(picture, subtitles.join(" ") === picture.subtitle);
  const titles = wrap([title, ...shorter].find((text) => wrap(text, titleLine).join(" ") === text) ?? title, titleLine);
  const isSmall = width < SMALL;
  const texts = [...(isSmall ? [] : picture.notes), ...picture.remarks, ...(isSmall ? [] : [picture.source])];
  const notes = texts.flatMap((note) => (note === undefined ? [] : wrap(note, line)));
  let y = margin / 4;
  const heading = [
    ...titles.map((text) => ({ text, y: (y += sizes.title * 1.2), isTitle: true })),
    ...subtitles.map((text) => ({ text, y: (y += sizes.line), isTitle: false })),
  ];
  return {
    picture,
    width,
    height,
    sizes,
    margin,
    axis: measureTexts(panels.flatMap(listSampleTicks), sizes) + 8,
    heading,
    notes,
    // A value beside the upper end of the axis is half above it.
    top: y + (panels.length > 1 ? sizes.line * 0.4 : sizes.font * 0.9),
    bottom: notes.length > 0 ? notes.length * sizes.line + margin / 2 : margin / 4,
    legendPanels: listLegendPanels(picture),
  };
}

/** Labels that the value axis may have, as its height is not known yet. */
function listSampleTicks(panel: Panel): string[] {
  return range(2, MAX_TICKS + 1).flatMap((count) =>
    listValueTicks(createValueScale(panel, [0, 1], Math.max(count, ROUNDING)), count).map(({ text }) => text),
  );
}

/** Lines of a text, at most. */
const MAX_LINES = 2;
/** Bold text is wider by this. */
const BOLD = 1.08;
/** Pages lower than this have no subtitle. */
const LOW = 200;

/** Breaks a text into lines of a width in pixels; what they cannot hold is cut. */
function wrap(
  text: string,
  { room, measure }: { readonly room: number; readonly measure: (text: string) => number },
): string[] {
  const lines = wrapText(text, { width: room, measure });
  const rest = lines.slice(MAX_LINES - 1).join(" ");
  return [...lines.slice(0, MAX_LINES - 1), rest]
    .filter((line) => line !== "")
    .flatMap((line) => fitNames([line], (cut) => measure(cut) <= room));
}

interface LegendChoice {
  readonly figures: FigureChoice;
  /** Of a legend below the plots. */
  readonly maxLines: number;
}

/** Names alone, in as many lines below the plots as they need. */
const BELOW: LegendChoice = { figures: "none", maxLines: Number.POSITIVE_INFINITY };

export interface Placement extends LegendChoice, PlotGrid {
  /** The plots' part of the page. */
  readonly part: number;
}

/** Height below a legend. */
export const LEGEND_GAP = 3;

export function svgSurfaceOf({ picture, width, height, margin, axis, top, bottom, sizes }: SvgPage): Surface {
  const { panels, isSplit } = picture;
  return {
    count: panels.length,
    maxColumns: isSplit ? 4 : 1,
    width,
    height: height - top - bottom,
    left: margin + axis,
    right: margin,
    gap: sizes.font * 1.6,
    legendGap: 12,
    caption: panels.length > 1 ? sizes.line : 0,
    times: sizes.line + 3,
    below: isSplit ? sizes.line / 2 : sizes.line,
    least: LEAST,
    grows: true,
    flat: 2,
    round: (size) => size,
  };
}

/** Lists ways to place plots and legends, the best first. */
export function listPlacements(page: SvgPage): Placement[] {
  const { legendPanels, sizes } = page;
  if (legendPanels.length === 0) return [placeLegendsBelow(page)];
  // One legend of several panels has no figures: each panel has its own.
  const choices = page.picture.sharesLegend ? FIGURE_CHOICES.slice(-1) : FIGURE_CHOICES;
  const beside = choices.map((figures): Placement => {
    const legends = legendPanels.map((panel) => measureBeside(panel, figures, sizes));
    const surface = svgSurfaceOf(page);
    const grid = bestGrid(surface, { beside: max(legends, (legend) => legend.width) ?? 0, below: [] });
    const room = page.picture.sharesLegend ? page.height - page.top - page.bottom : grid.plotHeight;
    const { left, right, gap, legendGap } = surface;
    const needed = left + grid.columns * (grid.plotWidth + gap) - gap + legendGap + grid.beside + right;
    const fits = legends.every(({ height }) => height <= room + sizes.line) && needed <= page.width + 1;
    return { ...BELOW, figures, ...grid, part: fits ? plotShareOf(page, grid) : 0 };
  });
  return [...beside, placeLegendsBelow(page)];
}

export function placeLegendsBelow(page: SvgPage, maxLines = BELOW.maxLines): Placement {
  const { legendPanels, width, margin, sizes } = page;
  const place = { x: 0, y: 0, width: width - 2 * margin, maxLines };
  const below = legendPanels.map((panel) => placeBelow(panel, place, sizes).height + LEGEND_GAP);
  const grid = bestGrid(svgSurfaceOf(page), { beside: 0, below });
  return { ...BELOW, maxLines, ...grid, part: plotShareOf(page, grid) };
}

/** Notes, which are needed, do not count. */
function plotShareOf({ picture, width, height, sizes, notes }: SvgPage, { plotWidth, plotHeight }: PlotGrid): number {
  return (plotWidth * plotHeight * picture.panels.length) / (width * (height - sizes.line * notes.length));
}
