/** The marks of a plot as SVG paths. */
import { range } from "d3-array";
import { area, line } from "d3-shape";
import type { PictureSeries } from "../model/picture.ts";
import { type Band, isBelow, type Layer, type Stack, stackPanel } from "../model/sample.ts";
import type { PlotFrame } from "./page.ts";
import { round } from "./markup.ts";

type MarkScales = Pick<PlotFrame, "panel" | "markX" | "y">;

interface MarkPath {
  readonly path: string;
  /** Points between two gaps, which no line reaches, as a path of dots. */
  readonly dots: string;
  /** Points that are marked, as a path of dots. */
  readonly picked: string;
  /** The area of the values that a line is the mean of. */
  readonly range: string;
}

/** Draws one path per series. */
export function drawMarks(plot: MarkScales): MarkPath[] {
  if (plot.panel.mark === "line") return plot.panel.series.map((series) => drawLine(series, plot));
  const stacked = stackMarks(plot);
  const draw = stacked.ends ? drawColumns : drawArea;
  return stacked.layers.map((layer) => ({ path: draw(layer, stacked, plot), dots: "", picked: "", range: "" }));
}

/** Minimum width of a column, in pixels; narrower ones would blur and are drawn as an area. */
const MIN_COLUMN = 3;

/** Stacks the series of a panel; `ends` is set only if they are drawn as columns. */
export function stackMarks({ panel, markX: x }: Pick<MarkScales, "panel" | "markX">): Stack {
  const stacked = stackPanel(panel, x);
  const { times, ends } = stacked;
  const width = ends && (x(ends.at(-1) ?? 0) - x(times[0] ?? 0)) / times.length;
  return width !== undefined && width < MIN_COLUMN ? { ...stacked, ends: undefined } : stacked;
}

function drawLine(
  { times, values, picked: marked, range: ends }: PictureSeries,
  { markX: x, y }: MarkScales,
): MarkPath {
  const isMissing = (index: number) => Number.isNaN(values[index] ?? Number.NaN);
  const at = (index: number) => [x(times[index] as number), y(values[index] as number)] as const;
  const path = line<number>()
    .digits(1)
    .defined((index) => !isMissing(index))
    .x((index) => at(index)[0])
    .y((index) => at(index)[1])(times.keys());
  const alone = [...times.keys()].filter((index) => !isMissing(index) && isMissing(index - 1) && isMissing(index + 1));
  const dots = alone.map((index) => `M${at(index).map(round).join(",")}h0`).join("");
  const picked = Array.from(
    marked?.times ?? [],
    (time, index) => `M${round(x(time))},${round(y(marked?.values[index] as number))}h0`,
  ).join("");
  if (!ends) return { path: path ?? "", dots, picked, range: "" };
  const bands = Array.from(ends.low, (low, index): Band => [low, ends.high[index] as number]);
  return { path: path ?? "", dots, picked, range: drawArea({ bands }, { times }, { markX: x, y }) };
}

function drawArea(
  { bands }: Pick<Layer, "bands">,
  { times }: Pick<Stack, "times">,
  { markX: x, y }: Omit<MarkScales, "panel">,
): string {
  const draw = area<number>()
    .digits(1)
    .defined((index) => !Number.isNaN(bands[index]?.[1]))
    .x((index) => x(times[index] as number))
    .y0((index) => y(bands[index]?.[0] as number))
    .y1((index) => y(bands[index]?.[1] as number));
  // Split where a band changes sides of the axis: a single area would cross everything between.
  const crossings = [...times.keys()].filter(
    (index) => index > 0 && isBelow(bands[index]) !== isBelow(bands[index - 1]),
  );
  const ends = [...crossings, times.length];
  return ends.map((end, index) => draw(range(ends[index - 1] ?? 0, end)) ?? "").join("");
}

/** Fraction of a column's width left free, if columns are wide enough. */
const FREE = 0.15;

function drawColumns({ bands }: Layer, { times, ends = times }: Stack, { markX: x, y }: MarkScales): string {
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
