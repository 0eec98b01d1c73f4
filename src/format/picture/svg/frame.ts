/** Positions the parts of a picture on a page, in pixels. */
import { max, sum } from "d3-array";
import { listTitles, printFigures } from "../model/legend.ts";
import { CHARACTER, LINE, measureTexts, SWATCH } from "./markup.ts";
import type { FormatOptions } from "../../format.ts";
import type { Panel, Picture } from "../model/picture.ts";
import { createTimeScale, createValueScale, fitTimeTicks, listValueTicks, MAX_TICKS, type Scale, type Tick } from "../model/scales.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface LegendBox extends Box {
  /** The width of each column of figures. */
  readonly columns: readonly number[];
}

export interface PlotFrame {
  readonly panel: Panel;
  readonly box: Box;
  /** Shared by all panels. */
  readonly x: Scale;
  readonly y: Scale;
  readonly valueTicks: readonly Tick[];
  /** True if times are printed below it. */
  readonly hasTimes: boolean;
  /** Undefined if the legend is drawn elsewhere. */
  readonly legend: LegendBox | undefined;
}

export interface SvgFrame {
  readonly width: number;
  readonly height: number;
  readonly plots: readonly PlotFrame[];
  readonly x: Scale;
  readonly timeTicks: readonly Tick[];
  /** The baseline of the first note. */
  readonly notesY: number;
}

const DEFAULT_WIDTH = 960;
const MARGIN = 20;
const HEADER = 64;
const PANEL_TITLE = 24;
const TIME_AXIS = 30;
const GAP = 14;
const MIN_PLOT = { width: 80, height: 60 };
/** Minimum fraction of the width for a plot; a legend that leaves less is too wide to be beside it. */
const MIN_SHARE = 0.42;
/** Approximate distance between two values on the axis. */
const VALUE_STEP = 48;
/** Minimum distance between two times on the axis. */
const TIME_GAP = 10;

/** Lays out a page of the requested size, or larger if that would be unreadable. `isWhole`: with title, notes and legends. */
export function layOut({ panels, notes, time }: Picture, options: Pick<FormatOptions, "width" | "height">, isWhole: boolean): SvgFrame {
  const { width: wide = DEFAULT_WIDTH, height: high = panels.length <= 1 ? 540 : 120 + 300 * panels.length } = options;
  const left = MARGIN + measureTicks(panels) + 8;
  const legends = isWhole ? panels.map(measureLegend) : [];
  const legendWidth = max(legends, ({ width }) => width) ?? 0;
  const narrow = wide - left - legendWidth - 2 * MARGIN;
  const isBeside = isWhole && narrow >= Math.max(MIN_PLOT.width, wide * MIN_SHARE);
  const plotWidth = isBeside ? narrow : Math.max(MIN_PLOT.width, wide - left - MARGIN);
  const top = isWhole ? HEADER : 8;
  // Height that each panel needs besides the plot itself.
  const extras = panels.map((_, index) => {
    const hasTimes = index === panels.length - 1 || (isWhole && !isBeside);
    const under = isBeside ? 0 : (legends[index]?.height ?? 0);
    return { hasTimes, height: PANEL_TITLE + (hasTimes ? TIME_AXIS : GAP) + (under > 0 ? under + GAP : 0) };
  });
  const bottom = isWhole && notes.length > 0 ? LINE * notes.length + GAP : 0;
  const rest = high - top - bottom - sum(extras, ({ height }) => height);
  const least = isBeside ? Math.max(MIN_PLOT.height, ...legends.map(({ height }) => height - PANEL_TITLE)) : MIN_PLOT.height;
  const plotHeight = Math.max(least, rest / Math.max(1, panels.length));
  const x = createTimeScale(time, [left, left + plotWidth]);
  let end = top;
  const plots = panels.map((panel, index) => {
    const { hasTimes, height } = extras[index] as (typeof extras)[number];
    const box = { x: left, y: end + PANEL_TITLE, width: plotWidth, height: plotHeight };
    const beside = { x: left + plotWidth + MARGIN, y: end + PANEL_TITLE / 2, width: legendWidth };
    const under = { x: MARGIN, y: box.y + plotHeight + TIME_AXIS };
    const legend = legends[index] && { ...legends[index], ...(isBeside ? beside : under) };
    end += plotHeight + height;
    return { panel, box, x, ...scaleValues(panel, box), hasTimes, legend };
  });
  const fullHeight = Math.max(high, end + bottom);
  return {
    width: Math.max(wide, left + plotWidth + MARGIN),
    height: fullHeight,
    plots,
    x,
    timeTicks: panels.length === 0 ? [] : fitTimeTicks(time, x, { character: CHARACTER, gap: TIME_GAP }),
    notesY: fullHeight - LINE * notes.length + LINE / 2,
  };
}

const FIGURE_GAP = 16;
const MAX_NAME = 200;

function measureLegend(panel: Panel): Omit<LegendBox, "x" | "y"> {
  const names = Math.min(MAX_NAME, measureTexts(panel.series.map(({ name }) => name))) + CHARACTER;
  const figures = panel.series.map(printFigures);
  const columns = listTitles(panel).map((title, index) => FIGURE_GAP + measureTexts([title, ...figures.map((row) => row[index] ?? "")]));
  return { width: columns.reduce((width, column) => width + column, SWATCH + names), height: LINE * (figures.length + 1), columns };
}

function scaleValues(panel: Panel, { y: top, height }: Box): Pick<PlotFrame, "y" | "valueTicks"> {
  const count = Math.min(Math.max(2, Math.round(height / VALUE_STEP)), MAX_TICKS);
  const y = createValueScale(panel, [top + height, top], count);
  const isEmpty = panel.series.every(({ figures }) => figures.last === undefined);
  return { y, valueTicks: isEmpty ? [] : listValueTicks(y, count) };
}

/** The width of the widest value on an axis, from enough sample ticks. */
function measureTicks(panels: readonly Panel[]): number {
  return measureTexts(panels.flatMap((panel) => listValueTicks(createValueScale(panel, [0, 1], 9), 9).map(({ text }) => text)));
}
