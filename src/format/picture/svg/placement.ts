/** Where plots and legends may stand on a page, and how much room that leaves for the plots. */
import { max, range, sum } from "d3-array";
import { wrapText } from "../../../base/terminal.ts";
import type { FormatOptions } from "../../format.ts";
import { fitNames } from "../model/fit-names.ts";
import { listLegendPanels, type Panel, type Picture } from "../model/picture.ts";
import { createValueScale, listValueTicks, MAX_TICKS } from "../model/scales.ts";
import { FIGURE_CHOICES, type FigureChoice, measureBeside, placeBelow } from "./legend-box.ts";
import { LARGE_TEXT, measureTexts, SMALL_TEXT, type TextSizes } from "./markup.ts";
import type { SvgFrame } from "./page.ts";

export type PageSize = Pick<FormatOptions, "width" | "height">;

const DEFAULT_WIDTH = 960;
/** Pages narrower than this have small text. */
const SMALL = 640;
/** Minimum size of a plot. */
const LEAST = { width: 80, height: 60 };
/** Ends of an axis are rounded as if there were at least this many ticks: coarser ones would leave much of a low plot empty. */
export const ROUNDING = 5;

/** The part of a page that plots should have at least: more on a small one, where a legend without figures is enough. */
export function leastPart(width: number, panels: number): number {
  return (width < SMALL ? 0.65 : 0.58) - (panels > 1 ? 0.08 : 0);
}

export interface Page {
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

export function measurePage(picture: Picture, options: PageSize): Page {
  const { panels, isSplit } = picture;
  const rows = isSplit ? 1 : panels.length;
  const { width = DEFAULT_WIDTH, height = rows <= 1 ? 540 : 160 + 240 * rows } = options;
  const sizes = width < SMALL ? SMALL_TEXT : LARGE_TEXT;
  const margin = width < SMALL ? 8 : 16;
  const room = (width - 2 * margin) / sizes.character;
  const titles = wrap(picture.title, (room * sizes.font) / sizes.title / 1.08, 2);
  const subtitles = height < 200 ? [] : wrap(picture.subtitle, room, 1);
  const notes = [...(width < SMALL ? [] : picture.notes), ...picture.remarks].flatMap((note) => wrap(note, room, 2));
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

/** Breaks a text into lines; what the last one cannot hold is cut. */
function wrap(text: string, room: number, most: number): string[] {
  const lines = wrapText(text, { width: room, measure: ({ length }) => length });
  const last = lines.slice(most - 1).join(" ");
  return lines.length < most ? lines : [...lines.slice(0, most - 1), ...fitNames([last], ({ length }) => length <= room)];
}

interface LegendChoice {
  readonly figures: FigureChoice;
  /** The width of the legends beside the plots; 0 if they are below. */
  readonly beside: number;
  /** Of a legend below the plots. */
  readonly maxLines: number;
}

/** Names alone, in as many lines below the plots as they need. */
export const BELOW: LegendChoice = { figures: "none", beside: 0, maxLines: Number.POSITIVE_INFINITY };

export interface Placement extends LegendChoice {
  readonly columns: number;
  readonly plotWidth: number;
  readonly plotHeight: number;
  /** The plots' part of the page. */
  readonly part: number;
}

/** Distance between a plot and the legend beside it. */
export const BESIDE_GAP = 12;
/** Height below a legend. */
export const LEGEND_GAP = 3;

/** Lists ways to place plots and legends, the best first. */
export function listPlacements(page: Page): Placement[] {
  const { legendPanels, sizes } = page;
  if (legendPanels.length === 0) return [bestGrid(page, BELOW)];
  // One legend of several panels has no figures: each panel has its own.
  const choices = page.picture.sharesLegend ? FIGURE_CHOICES.slice(-1) : FIGURE_CHOICES;
  const beside = choices.map((figures) => {
    const legends = legendPanels.map((panel) => measureBeside(panel, figures, sizes));
    const width = max(legends, (legend) => legend.width + BESIDE_GAP) ?? 0;
    const placed = bestGrid(page, { ...BELOW, figures, beside: width });
    const room = page.picture.sharesLegend ? page.height - page.top - page.bottom : placed.plotHeight;
    const fits = legends.every(({ height }) => height <= room + sizes.line) && placed.plotWidth >= LEAST.width;
    return { ...placed, part: fits ? placed.part : 0 };
  });
  return [...beside, bestGrid(page, BELOW)];
}

/** Chooses the number of columns of small multiples, so that plots are neither flat nor narrow. */
export function bestGrid(page: Page, legend: LegendChoice): Placement {
  const { picture } = page;
  const choices = picture.isSplit ? range(1, Math.min(picture.panels.length, 4) + 1) : [1];
  const grids = choices.map((columns) => measureGrid(page, { columns, ...legend }));
  const rate = ({ plotWidth, plotHeight }: Placement) => Math.min(plotWidth, plotHeight * 2);
  return grids.reduce((best, one) => (rate(one) > rate(best) ? one : best));
}

function measureGrid(page: Page, { columns, ...legend }: LegendChoice & Pick<Placement, "columns">): Placement {
  const { beside, maxLines } = legend;
  const { picture, width, height, margin, axis, top, bottom, sizes } = page;
  const count = picture.panels.length;
  const rows = Math.ceil(count / columns);
  const gaps = (columns - 1) * gapOf(sizes);
  const plotWidth = Math.max(LEAST.width, (width - margin - axis - margin - beside - gaps) / columns);
  const below = beside > 0 ? 0 : sum(measureBelow(page, maxLines), (legendHeight) => legendHeight + LEGEND_GAP);
  const rest = height - top - bottom - below - heightsOf(page, columns).reduce((total, one) => total + one, 0);
  const plotHeight = Math.max(LEAST.height, rest / Math.max(1, rows));
  // Notes, which are needed, do not count.
  const part = (plotWidth * plotHeight * count) / (width * (height - sizes.line * page.notes.length));
  return { columns, plotWidth, plotHeight, ...legend, part };
}

export function gapOf({ font }: TextSizes): number {
  return font * 1.6;
}

export function measureBelow({ legendPanels, width, margin, sizes }: Page, maxLines: number): number[] {
  return legendPanels.map((panel) => placeBelow(panel, { x: 0, y: 0, width: width - 2 * margin, maxLines }, sizes).height);
}

/** Heights of each row besides its plots: caption, and times or a gap. */
export function heightsOf({ picture: { panels, isSplit }, sizes }: Page, columns: number): number[] {
  const rows = Math.ceil(panels.length / columns);
  const caption = panels.length > 1 ? sizes.line : 0;
  return range(rows).map((row) => caption + (row === rows - 1 ? sizes.line + 3 : isSplit ? sizes.line / 2 : sizes.line));
}
