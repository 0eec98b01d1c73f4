/** Where the parts of a picture stand on a page of pixels. */
import type { Panel, Picture } from "./picture.ts";
import { listTitles, printFigures } from "./legend.ts";
import { createTimeScale, createValueScale, fitTimeTicks, listValueTicks, type Scale, type Tick } from "./scales.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

export interface Legend extends Box {
  /** The width of a column of figures. */
  readonly figure: number;
}

/** One panel in its place. */
export interface Plot {
  readonly panel: Panel;
  readonly box: Box;
  readonly y: Scale;
  readonly valueTicks: readonly Tick[];
  /** Undefined where the legend is drawn elsewhere. */
  readonly legend: Legend | undefined;
}

export interface Frame extends Size {
  readonly plots: readonly Plot[];
  /** All panels share it. */
  readonly x: Scale;
  readonly timeTicks: readonly Tick[];
  /** The first baseline of the notes. */
  readonly notesY: number;
}

/** Pixels. */
export const FONT = 12;
export const LINE = 18;
/** Of most system fonts, a little more than the mean of their characters. */
export const CHARACTER = FONT * 0.56;
const MARGIN = 20;
const HEADER = 64;
const PANEL_TITLE = 24;
const TIME_AXIS = 30;
const PANEL_GAP = 14;
const MIN_PLOT: Size = { width: 80, height: 60 };
const DEFAULT_WIDTH = 960;
/** From one value to the next, about. */
const TICK_STEP = 48;
/** Between two times. */
const TICK_GAP = 14;
/** Between the columns of a legend. */
const FIGURE_GAP = 16;
export const SWATCH = 18;
const MAX_NAME = 200;

export interface FrameOptions {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Whether it has title, notes and legends. */
  readonly isWhole: boolean;
}

/** A page as large as asked, and larger where that could not be read. */
export function layOut({ panels, notes, time }: Picture, options: FrameOptions): Frame {
  const { isWhole, width: wide = DEFAULT_WIDTH, height: high = defaultHeight(panels.length) } = options;
  const ticksWidth = measureTexts(panels.flatMap((panel) => listValueTicks(createValueScale(panel, [0, 1], 5), 5).map(({ text }) => text)));
  const left = MARGIN + ticksWidth + 8;
  const legendWidth = isWhole ? Math.max(0, ...panels.map(measureLegend)) : 0;
  const isBeside = wide - left - legendWidth - 2 * MARGIN >= Math.max(MIN_PLOT.width, wide * 0.45);
  const plotWidth = Math.max(MIN_PLOT.width, wide - left - MARGIN - (isBeside && legendWidth > 0 ? legendWidth + MARGIN : 0));
  const legendHeights = panels.map((panel) => (isWhole ? LINE * (panel.series.length + 1) : 0));
  const below = isBeside ? panels.map(() => 0) : legendHeights;
  const top = isWhole ? HEADER : 8;
  const bottom = TIME_AXIS + (isWhole ? LINE * notes.length + MARGIN / 2 : 0);
  const taken = top + bottom + sum(below) + PANEL_TITLE * panels.length + PANEL_GAP * Math.max(0, panels.length - 1);
  const least = isBeside ? Math.max(MIN_PLOT.height, ...legendHeights.map((height) => height - PANEL_TITLE)) : MIN_PLOT.height;
  const plotHeight = Math.max(least, (high - taken) / Math.max(1, panels.length));
  const x = createTimeScale(time, [left, left + plotWidth]);
  let y = top;
  const plots = panels.map((panel, index): Plot => {
    const box = { x: left, y: y + PANEL_TITLE, width: plotWidth, height: plotHeight };
    const figure = measureFigure(panel);
    const beside = {
      figure,
      x: left + plotWidth + MARGIN,
      y: y + PANEL_TITLE / 2,
      width: legendWidth,
      height: legendHeights[index] as number,
    };
    const under = {
      figure,
      x: MARGIN,
      y: box.y + plotHeight + TIME_AXIS,
      width: Math.min(wide - 2 * MARGIN, legendWidth),
      height: below[index] as number,
    };
    y = box.y + plotHeight + (below[index] as number) + PANEL_GAP;
    return placeScale({ panel, box, legend: isWhole ? (isBeside ? beside : under) : undefined });
  });
  const end = y - (panels.length > 0 ? PANEL_GAP : 0) + bottom;
  return {
    width: Math.max(wide, left + plotWidth + MARGIN),
    height: Math.max(high, end),
    plots,
    x,
    timeTicks: panels.length === 0 ? [] : fitTimeTicks(time, x, { character: CHARACTER, gap: TICK_GAP }),
    notesY: end - LINE * notes.length + LINE / 2,
  };
}

function placeScale(plot: Omit<Plot, "y" | "valueTicks">): Plot {
  const { y: top, height } = plot.box;
  const count = Math.max(2, Math.round(height / TICK_STEP));
  const y = createValueScale(plot.panel, [top + height, top], count);
  const isEmpty = plot.panel.series.every(({ figures }) => figures.last === undefined);
  return { ...plot, y, valueTicks: isEmpty ? [] : listValueTicks(y, count) };
}

function defaultHeight(panels: number): number {
  return panels <= 1 ? 540 : 120 + 300 * panels;
}

function measureLegend(panel: Panel): number {
  const names = Math.min(MAX_NAME, measureTexts(panel.series.map(({ name }) => name))) + CHARACTER;
  return SWATCH + names + measureFigure(panel) * listTitles(panel).length;
}

function measureFigure(panel: Panel): number {
  return FIGURE_GAP + measureTexts([...listTitles(panel), ...panel.series.flatMap(printFigures)]);
}

/** Pixels of the longest text, about: nothing here knows the fonts of the reader. */
function measureTexts(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length * CHARACTER));
}

/** As much of a text as so many pixels hold, about. */
export function fitText(text: string, width: number): string {
  const fitting = Math.max(1, Math.floor(width / CHARACTER));
  return text.length <= fitting
    ? text
    : `${Array.from(text)
        .slice(0, Math.max(1, fitting - 2))
        .join("")}...`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
