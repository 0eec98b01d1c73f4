/** The axes of a plot: round values at its left, round times under it, and the line at zero. */
import { scaleLinear } from "d3-scale";
import type { Panel } from "../model/picture.ts";
import { createTimeScale, createValueScale, fitTimeTicks, listValueTicks, type Scale, type Tick } from "../model/scales.ts";
import { DOTS } from "./dots.ts";
import { shortenTicks } from "./text.ts";
import type { PlotCells } from "./look.ts";

/** Ends of the axis are rounded to the tick that so many per row would have: rows are too few to leave some empty. */
const ROUNDING = 2;

/** From a value to rows above the lower edge. Of stacks, zero and the ticks are between two rows, where a bar that reaches them ends. */
export function createRowScale(panel: Panel, height: number): Scale {
  const { mark, domain } = panel;
  if (mark === "line") return createValueScale(panel, [0, height], height * ROUNDING);
  const [low, high] = domain;
  let scale = scaleLinear(domain, [0, height]);
  for (const perRow of listRowSizes((high - low) / height)) {
    const below = Math.ceil(-low / perRow - NEARLY);
    scale = scale.domain([-below * perRow, (height - below) * perRow]);
    if (high <= (height - below + NEARLY) * perRow && listTicksBetweenRows(scale).length > 1) break;
  }
  return scale;
}

/** Steps within a power of ten: two to six of them are a round number. */
const ROW_SIZES = [1, 1.25, 5 / 3, 2, 2.5, 10 / 3, 4, 5, 20 / 3];
const NEARLY = 1e-6;

function* listRowSizes(least: number): Generator<number> {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const size of [1, 10, 100].flatMap((times) => ROW_SIZES.map((one) => one * times * power)))
    if (size > least * (1 - NEARLY)) yield size;
}

/** As many as there are wanted, or fewer. */
function listTicksBetweenRows(scale: Scale): Tick[] {
  for (let count = countTicks(scale); count > 0; count--) {
    const ticks = listValueTicks(scale, count);
    const isBetween = ({ at }: Tick) => Math.abs(scale(at) - Math.round(scale(at))) < NEARLY;
    if (ticks.every(isBetween)) return ticks;
  }
  return [];
}

/** A label in every third row, about, and not many more than eight. */
function countTicks(scale: Scale): number {
  const [, height = 0] = scale.range();
  return Math.min(Math.max(Math.round(height / 3), 2), 8);
}

/** None where there are no values. */
export function listRowTicks({ mark, series }: Panel, scale: Scale): readonly Tick[] {
  if (series.every(({ figures }) => figures.last === undefined)) return [];
  return shortenTicks(mark === "line" ? listValueTicks(scale, countTicks(scale)) : listTicksBetweenRows(scale));
}

/** The row of a value, from the upper edge; of stacks the one whose upper edge it is. */
function rowOf(value: number, { mark }: Panel, { height, scale }: Pick<PlotCells, "height" | "scale">): number {
  const rows = scale(value);
  if (mark !== "line") return height - Math.round(rows);
  const lastDot = height * DOTS.down - 1;
  return Math.floor(Math.round((1 - rows / height) * lastDot) / DOTS.down);
}

const UNICODE = { tick: { line: "┤", stack: "▔" }, line: "│", corner: "└", baseline: "─", timeTick: "┬", zero: { line: "─", stack: "▔" } };
const ASCII = { tick: { line: "+", stack: "+" }, line: "|", corner: "+", baseline: "-", timeTick: "+", zero: { line: "-", stack: "-" } };

/** Labels and line at the left; what is below zero has a line at zero, under the series. */
export function drawValueAxis(panel: Panel, plot: PlotCells, ticks: readonly Tick[]): void {
  const { canvas, left, top, width, height, scale, look } = plot;
  const signs = look.unicode ? UNICODE : ASCII;
  const style = look.pens.dim;
  for (let row = 0; row < height; row++) canvas.write(left - 1, top + row, { text: signs.line, style });
  const [low = 0, high = 0] = scale.domain();
  const kind = panel.mark === "line" ? "line" : "stack";
  const zeroRow = rowOf(0, panel, plot);
  if (low < 0 && high >= 0) {
    canvas.write(left, top + zeroRow, { text: signs.zero[kind].repeat(width), style });
  }
  const taken = new Set<number>();
  // Zero before its neighbours.
  for (const { at, text } of ticks.toSorted((a, b) => Math.abs(a.at) - Math.abs(b.at))) {
    const row = rowOf(at, panel, plot);
    if (row < 0 || row > height || taken.has(row)) continue;
    taken.add(row);
    canvas.write(left - 1 - text.length, top + row, { text, style });
    if (row < height) canvas.write(left - 1, top + row, { text: signs.tick[kind], style });
  }
}

/** The base line with the ticks of times, and the times under it. */
export function drawTimeAxis(
  { canvas, left, top, width, height, time, look }: PlotCells,
  { hasLabels }: { readonly hasLabels: boolean },
): void {
  const signs = look.unicode ? UNICODE : ASCII;
  const style = look.pens.dim;
  const scale = createTimeScale(time, [0, width - 1]);
  const row = top + height;
  canvas.write(left - 1, row, { text: signs.corner + signs.baseline.repeat(width), style });
  for (const { at, text } of fitTimeTicks(time, scale, { character: 1, gap: 4 })) {
    const x = left + Math.round(scale(at));
    canvas.write(x, row, { text: signs.timeTick, style });
    const start = Math.min(Math.max(x - Math.floor(text.length / 2), 0), left + width - text.length);
    if (hasLabels) canvas.write(start, row + 1, { text, style });
  }
}
