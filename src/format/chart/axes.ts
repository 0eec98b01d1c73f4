/** The axes of a plot: round values at its left, round times under it, and the line at zero. */
import type { Panel } from "../picture/picture.ts";
import { createTimeScale, createValueScale, fitTimeTicks, listValueTicks, type Scale, type Tick } from "../picture/scales.ts";
import { DOTS } from "./dots.ts";
import { shortenTicks } from "./numbers.ts";
import type { Plot } from "./plot.ts";

/** Ends of the axis are rounded to the tick that so many per row would have: rows are too few to leave some empty. */
const ROUNDING = 2;

/** From a value to rows above the lower edge. Of stacks, zero is between two rows. */
export function createRowScale(panel: Panel, height: number): Scale {
  const scale = createValueScale(panel, [0, height], height * ROUNDING);
  const [low = 0, high = 1] = scale.domain();
  if (panel.mark === "line" || low >= 0 || high <= 0) return scale;
  const below = Math.min(Math.ceil((height * low) / (low - high)), height - 1);
  const perRow = Math.max(high / (height - below), -low / below);
  return scale.domain([-below * perRow, (height - below) * perRow]);
}

/** A label in every third row, about, and not many more than eight. None where there are no values. */
export function listRowTicks({ series }: Panel, scale: Scale): readonly Tick[] {
  if (series.every(({ figures }) => figures.last === undefined)) return [];
  const [, height = 0] = scale.range();
  return shortenTicks(listValueTicks(scale, Math.min(Math.max(Math.round(height / 3), 2), 8)));
}

/** The row of a value, from the upper edge; of stacks the one whose upper edge it is. */
function rowOf(value: number, { mark }: Panel, { height, scale }: Pick<Plot, "height" | "scale">): number {
  const rows = scale(value);
  if (mark !== "line") return height - Math.round(rows);
  const lastDot = height * DOTS.down - 1;
  return Math.floor(Math.round((1 - rows / height) * lastDot) / DOTS.down);
}

const UNICODE = { tick: "┤", line: "│", corner: "└", baseline: "─", timeTick: "┬", zero: { line: "─", stack: "▔" } };
const ASCII = { tick: "+", line: "|", corner: "+", baseline: "-", timeTick: "+", zero: { line: "-", stack: "-" } };

/** Labels and line at the left; what is below zero has a line at zero, under the series. */
export function drawValueAxis(panel: Panel, plot: Plot, ticks: readonly Tick[]): void {
  const { canvas, left, top, width, height, scale, look } = plot;
  const signs = look.unicode ? UNICODE : ASCII;
  const style = look.pens.dim;
  for (let row = 0; row < height; row++) canvas.write(left - 1, top + row, { text: signs.line, style });
  const [low = 0, high = 0] = scale.domain();
  const zeroRow = rowOf(0, panel, plot);
  if (low < 0 && high >= 0) {
    const sign = panel.mark === "line" ? signs.zero.line : signs.zero.stack;
    canvas.write(left, top + zeroRow, { text: sign.repeat(width), style });
  }
  const taken = new Set<number>();
  // Zero before its neighbours.
  for (const { at, text } of ticks.toSorted((a, b) => Math.abs(a.at) - Math.abs(b.at))) {
    const row = rowOf(at, panel, plot);
    if (row < 0 || row > height || taken.has(row)) continue;
    taken.add(row);
    canvas.write(left - 1 - text.length, top + row, { text, style });
    if (row < height) canvas.write(left - 1, top + row, { text: signs.tick, style });
  }
}

/** The base line with the ticks of times, and the times under it. */
export function drawTimeAxis({ canvas, left, top, width, height, time, look }: Plot, { hasLabels }: { readonly hasLabels: boolean }): void {
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
