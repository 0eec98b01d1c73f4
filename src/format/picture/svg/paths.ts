/** The marks of a panel as SVG paths. */
import { range } from "d3-array";
import { area, line } from "d3-shape";
import { round } from "./markup.ts";
import type { Panel, PictureSeries } from "../model/picture.ts";
import type { PlotFrame } from "./frame.ts";
import { sampleLine } from "../model/sample.ts";
import { isBelow, type Layer, type Scale, type Stack, stackPanel } from "../model/scales.ts";

export interface MarkPath {
  readonly series: PictureSeries;
  readonly path: string;
  /** Points between two gaps, which have no line: a path of dots. */
  readonly dots: string;
}

/** In the order in which they are painted. */
export function drawMarks({ panel, y }: PlotFrame, x: Scale): MarkPath[] {
  if (panel.mark === "line") return panel.series.map((series) => drawLine(series, x, y));
  const stacked = stackMarks(panel, x);
  const draw = stacked.ends ? drawColumns : drawArea;
  return stacked.layers.map((layer) => ({ series: layer.series, path: draw(layer, stacked, { x, y }), dots: "" }));
}

/** Pixels; what is narrower would be a blur, and is drawn as an area. */
const MIN_COLUMN = 3;

/** The stack of a panel; `ends` only where it is drawn as columns. */
export function stackMarks(panel: Panel, x: Scale): Stack {
  const stacked = stackPanel(panel, x);
  const { times, ends } = stacked;
  const width = ends && (x(ends.at(-1) ?? 0) - x(times[0] ?? 0)) / times.length;
  return width !== undefined && width < MIN_COLUMN ? { ...stacked, ends: undefined } : stacked;
}

interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

function drawLine(series: PictureSeries, x: Scale, y: Scale): MarkPath {
  const { times, values } = sampleLine(series, x);
  const isMissing = (index: number) => Number.isNaN(values[index] ?? Number.NaN);
  const at = (index: number) => [x(times[index] as number), y(values[index] as number)] as const;
  const path = line<number>()
    .digits(1)
    .defined((index) => !isMissing(index))
    .x((index) => at(index)[0])
    .y((index) => at(index)[1])(times.keys());
  const alone = [...times.keys()].filter((index) => !isMissing(index) && isMissing(index - 1) && isMissing(index + 1));
  return { series, path: path ?? "", dots: alone.map((index) => `M${at(index).map(round).join(",")}h0`).join("") };
}

function drawArea({ bands }: Layer, { times }: Stack, { x, y }: Scales): string {
  const draw = area<number>()
    .digits(1)
    .defined((index) => !Number.isNaN(bands[index]?.[1]))
    .x((index) => x(times[index] as number))
    .y0((index) => y(bands[index]?.[0] as number))
    .y1((index) => y(bands[index]?.[1] as number));
  // From above the axis to below it, the area would cross all that lies between.
  const crossings = [...times.keys()].filter((index) => index > 0 && isBelow(bands[index]) !== isBelow(bands[index - 1]));
  const ends = [...crossings, times.length];
  return ends.map((end, index) => draw(range(ends[index - 1] ?? 0, end)) ?? "").join("");
}

/** Part of a column's width that stays free, where columns are wide enough for that. */
const FREE = 0.15;

function drawColumns({ bands }: Layer, { times, ends = times }: Stack, { x, y }: Scales): string {
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
