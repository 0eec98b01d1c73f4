/** Where the parts of a picture stand on a page of pixels. */
import { CHARACTER, LINE, type LegendSize, measureLegend, measureTexts } from "./measure.ts";
import type { Panel, Picture } from "../model/picture.ts";
import { createTimeScale, createValueScale, fitTimeTicks, listValueTicks, MAX_TICKS, type Scale, type Tick } from "../model/scales.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface LegendBox extends Box, LegendSize {}

/** One panel in its place. */
export interface PlotFrame {
  readonly panel: Panel;
  readonly box: Box;
  readonly y: Scale;
  readonly valueTicks: readonly Tick[];
  /** Whether the times stand under it. */
  readonly hasTimes: boolean;
  /** Undefined where the legend is drawn elsewhere. */
  readonly legend: LegendBox | undefined;
}

export interface SvgFrame {
  readonly width: number;
  readonly height: number;
  readonly plots: readonly PlotFrame[];
  /** All panels share it. */
  readonly x: Scale;
  readonly timeTicks: readonly Tick[];
  /** The first baseline of the notes. */
  readonly notesY: number;
}

export interface FrameOptions {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Whether it has title, notes and legends. */
  readonly isWhole: boolean;
}

const DEFAULT_WIDTH = 960;
const MARGIN = 20;
const HEADER = 64;
const PANEL_TITLE = 24;
const TIME_AXIS = 30;
const GAP = 14;
const MIN_PLOT = { width: 80, height: 60 };
/** The least share of the width for a plot; beside a wider legend it is too narrow. */
const MIN_SHARE = 0.42;
/** From one value on the axis to the next, about. */
const VALUE_STEP = 48;
/** Between two times on the axis. */
const TIME_GAP = 10;

/** A page as large as asked, and larger where that could not be read. */
export function layOut(picture: Picture, options: FrameOptions): SvgFrame {
  const { panels, notes, time } = picture;
  const { isWhole, width: wide = DEFAULT_WIDTH, height: high = panels.length <= 1 ? 540 : 120 + 300 * panels.length } = options;
  const left = MARGIN + measureTicks(panels) + 8;
  const legends = isWhole ? panels.map(measureLegend) : [];
  const legendWidth = Math.max(0, ...legends.map(({ width }) => width));
  const narrow = wide - left - legendWidth - 2 * MARGIN;
  const isBeside = isWhole && narrow >= Math.max(MIN_PLOT.width, wide * MIN_SHARE);
  const plotWidth = isBeside ? narrow : Math.max(MIN_PLOT.width, wide - left - MARGIN);
  const top = isWhole ? HEADER : 8;
  // What each panel takes beside the plot itself.
  const extras = panels.map((_, index) => {
    const hasTimes = index === panels.length - 1 || (isWhole && !isBeside);
    const under = isBeside ? 0 : (legends[index]?.height ?? 0);
    return { hasTimes, height: PANEL_TITLE + (hasTimes ? TIME_AXIS : GAP) + (under > 0 ? under + GAP : 0) };
  });
  const bottom = isWhole && notes.length > 0 ? LINE * notes.length + GAP : 0;
  const rest = high - top - bottom - extras.reduce((sum, { height }) => sum + height, 0);
  const least = isBeside ? Math.max(MIN_PLOT.height, ...legends.map(({ height }) => height - PANEL_TITLE)) : MIN_PLOT.height;
  const plotHeight = Math.max(least, rest / Math.max(1, panels.length));
  let y = top;
  const plots = panels.map((panel, index) => {
    const { hasTimes, height } = extras[index] as (typeof extras)[number];
    const box = { x: left, y: y + PANEL_TITLE, width: plotWidth, height: plotHeight };
    const beside = { x: left + plotWidth + MARGIN, y: y + PANEL_TITLE / 2 };
    const place = isBeside ? beside : { x: MARGIN, y: box.y + plotHeight + TIME_AXIS };
    const legend = legends[index];
    y += plotHeight + height;
    return placeScale({ panel, box, hasTimes, legend: legend && { ...legend, width: isBeside ? legendWidth : legend.width, ...place } });
  });
  const x = createTimeScale(time, [left, left + plotWidth]);
  return {
    width: Math.max(wide, left + plotWidth + MARGIN),
    height: Math.max(high, y + bottom),
    plots,
    x,
    timeTicks: panels.length === 0 ? [] : fitTimeTicks(time, x, { character: CHARACTER, gap: TIME_GAP }),
    notesY: Math.max(high, y + bottom) - LINE * notes.length + LINE / 2,
  };
}

function placeScale(plot: Omit<PlotFrame, "y" | "valueTicks">): PlotFrame {
  const { y: top, height } = plot.box;
  const count = Math.min(Math.max(2, Math.round(height / VALUE_STEP)), MAX_TICKS);
  const y = createValueScale(plot.panel, [top + height, top], count);
  const isEmpty = plot.panel.series.every(({ figures }) => figures.last === undefined);
  return { ...plot, y, valueTicks: isEmpty ? [] : listValueTicks(y, count) };
}

/** The widest value on an axis, of which there are many enough here. */
function measureTicks(panels: readonly Panel[]): number {
  return measureTexts(panels.flatMap((panel) => listValueTicks(createValueScale(panel, [0, 1], 9), 9).map(({ text }) => text)));
}
