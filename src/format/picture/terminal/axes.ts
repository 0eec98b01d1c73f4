/** The axes of a plot: round values at the left, round times below, and the line at zero. */
import { scaleLinear } from "d3-scale";
import { fitFirst } from "../model/fit-names.ts";
import type { Panel } from "../model/picture.ts";
import {
  createMarkScale,
  createValueScale,
  listValueTicks,
  MAX_TICKS,
  type Scale,
  type Tick,
} from "../model/scales.ts";
import { describeSpike, fitTimeTicks, placeText } from "../model/time-ticks.ts";
import { SGR } from "./canvas.ts";
import { createCellScale, findCell } from "./cell-scale.ts";
import { DOTS } from "./draw-lines.ts";
import type { Plot } from "./look.ts";
import { measureChartText, shortenTicks, toShownText } from "./text.ts";

/** Ends of the axis are rounded as if there were this many ticks per row; coarser rounding would leave rows empty. */
const ROUNDING = 2;

/**
 * Creates a scale from values to rows above the lower edge. In stacks, zero and the ticks lie between two rows, where
 * bars end.
 */
export function createRowScale(panel: Panel, height: number): Scale {
  const { mark, domain } = panel;
  if (mark === "line") return createValueScale(panel, [0, height], height * ROUNDING);
  const [low, high] = domain;
  let scale = scaleLinear(domain, [0, height]).clamp(true);
  for (const perRow of listRowSizes((high - low) / height)) {
    const below = Math.ceil(-low / perRow - NEARLY);
    scale = scale.domain([-below * perRow, (height - below) * perRow]);
    if (high <= (height - below + NEARLY) * perRow && listTicksBetweenRows(scale).length > 1) break;
  }
  return scale;
}

/** Row sizes within a power of ten: two to six of them add up to a round number. */
const ROW_SIZES = [1, 1.25, 5 / 3, 2, 2.5, 10 / 3, 4, 5, 20 / 3];
const NEARLY = 1e-6;

function listRowSizes(least: number): number[] {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 10, 100]
    .flatMap((times) => ROW_SIZES.map((rows) => rows * times * power))
    .filter((size) => size > least * (1 - NEARLY));
}

/** Lists at most as many ticks as `countTicks` allows. */
function listTicksBetweenRows(scale: Scale): Tick[] {
  for (let count = countTicks(scale); count > 0; count--) {
    const ticks = listValueTicks(scale, count);
    const isBetween = ({ at }: Tick) => Math.abs(scale(at) - Math.round(scale(at))) < NEARLY;
    if (ticks.every(isBetween)) return ticks;
  }
  return [];
}

/** A label about every third row. */
function countTicks(scale: Scale): number {
  const [, height = 0] = scale.range();
  return Math.min(Math.max(Math.round(height / 3), 2), MAX_TICKS);
}

/** Empty if there are no values. */
export function listRowTicks({ mark, series }: Panel, scale: Scale): readonly Tick[] {
  if (series.every(({ figures }) => figures.last === undefined)) return [];
  return shortenTicks(mark === "line" ? listValueTicks(scale, countTicks(scale)) : listTicksBetweenRows(scale));
}

/** The row of a value, from the upper edge; in stacks, the row whose upper edge it is. */
function rowOf(value: number, { panel, height, scale }: Plot): number {
  const rows = scale(value);
  if (panel.mark !== "line") return height - Math.round(rows);
  const lastDot = height * DOTS.down - 1;
  return Math.floor(Math.round((1 - rows / height) * lastDot) / DOTS.down);
}

const UNICODE = {
  tick: { line: "┤", stack: "▔" },
  line: "│",
  corner: "└",
  baseline: "─",
  timeTick: "┬",
  zero: { line: "─", stack: "▔" },
};
const ASCII = {
  tick: { line: "+", stack: "+" },
  line: "|",
  corner: "+",
  baseline: "-",
  timeTick: "+",
  zero: { line: "-", stack: "-" },
};

/** Draws labels and line at the left, and a line at zero, under the series, if there are values below it. */
export function drawValueAxis(plot: Plot, hasLabels: boolean): void {
  const { panel, canvas, left, top, width, height, scale, ticks, unicode } = plot;
  const signs = unicode ? UNICODE : ASCII;
  const kind = panel.mark === "line" ? "line" : "stack";
  const write = (x: number, row: number, text: string) => canvas.write(x, top + row, { text, style: SGR.dim });
  for (let row = 0; row < height; row++) write(left - 1, row, signs.line);
  const [low = 0, high = 0] = scale.domain();
  if (low < 0 && high >= 0) write(left, rowOf(0, plot), signs.zero[kind].repeat(width));
  const taken = new Set<number>();
  // Place zero before its neighbours.
  for (const { at, text } of ticks.toSorted((a, b) => Math.abs(a.at) - Math.abs(b.at))) {
    const row = rowOf(at, plot);
    if (row < 0 || row > height || taken.has(row)) continue;
    taken.add(row);
    if (hasLabels) write(left - 1 - text.length, row, text);
    if (row < height) write(left - 1, row, signs.tick[kind]);
  }
}

/** Writes how far values go that are cut off at the edge, where, and when. */
export function drawSpikes({ panel, canvas, left, top, width, height, time, unicode }: Plot): void {
  const scale = createMarkScale(createCellScale(time, width), time, panel);
  for (const spike of panel.spikes) {
    const isHigh = spike.value > 0;
    const arrow = unicode ? (isHigh ? "▲" : "▼") : isHigh ? "^" : "v";
    const x = findCell(scale, time, spike.time);
    const isRight = x < width / 2;
    const texts = describeSpike(spike, time).map((text) => toShownText(text, unicode));
    const words = fitFirst(texts, (text) => measureChartText(text) <= (isRight ? width - x - 2 : x - 1)) ?? "";
    const row = top + (isHigh ? 0 : height - 1);
    canvas.write(left + x, row, { text: arrow, style: SGR.bold });
    canvas.write(left + (isRight ? x + 2 : x - 1 - measureChartText(words)), row, { text: words, style: SGR.bold });
  }
}

/** Marks the instant from which on all is forecast, between the marks. */
export function drawNow({ canvas, left, top, width, height, time, unicode }: Plot): void {
  if (time.now === undefined) return;
  const x = left + findCell(createCellScale(time, width), time, time.now);
  for (let row = top; row < top + height; row++)
    if (canvas.isBlank(x, row)) canvas.write(x, row, { text: unicode ? "┊" : ":", style: SGR.dim });
}

/** Draws the base line with time ticks, and the times below it. */
export function drawTimeAxis(
  { canvas, left, top, width, height, time, unicode }: Plot,
  {
    hasLabels,
    isAlone,
  }: { readonly hasLabels: boolean /** True if no plot is beside it. */; readonly isAlone: boolean },
): void {
  const signs = unicode ? UNICODE : ASCII;
  const scale = createCellScale(time, width);
  const write = (x: number, y: number, text: string) => canvas.write(x, y, { text, style: SGR.dim });
  const row = top + height;
  write(left - 1, row, signs.corner + signs.baseline.repeat(width));
  // Positions are those of the plot's columns; alone, a text may stand below the value axis, too.
  const ends = [isAlone ? -left : -1, width] as const;
  const room = { measure: (text: string) => text.length, gap: isAlone ? 3 : 2, ends };
  for (const tick of fitTimeTicks(time, scale, room)) {
    write(left + findCell(scale, time, tick.at), row, signs.timeTick);
    const start = Math.round(placeText(tick, scale, room) - tick.text.length / 2);
    if (hasLabels) write(left + Math.max(start, ends[0]), row + 1, tick.text);
  }
}
