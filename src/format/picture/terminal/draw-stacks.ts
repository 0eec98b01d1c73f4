/** Series as stacked areas and columns: what is negative below zero. */
import { bisectRight } from "d3-array";
import type { Panel } from "../model/picture.ts";
import { type Band, createTimeScale, isBelow, type Scale, type Stack, stackPanel } from "../model/scales.ts";
import type { Ink } from "./pens.ts";
import type { PlotCells } from "./look.ts";

export function drawStacks(panel: Panel, plot: PlotCells): void {
  const { width, height, time, scale } = plot;
  const timeScale = createTimeScale(time, [0, width]);
  const stack = stackPanel(panel, timeScale);
  const columns = stack.ends ? placeBuckets(stack, timeScale) : sampleAreas(stack, timeScale);
  for (const [column, bands] of columns.entries()) {
    const owners = findOwners(bands, { height, scale });
    for (let row = 0; row < height; row++) {
      const from = (height - 1 - row) * PARTS;
      drawCell(owners.subarray(from, from + PARTS), { plot, column, row });
    }
  }
}

/** The bands of all layers in the middle of each column, between points on a straight line. */
function sampleAreas({ times, layers }: Stack, scale: Scale): Band[][] {
  const [, width = 0] = scale.range();
  const columnOf = (index: number) => Math.min(Math.floor(scale(times[index] as number)), width - 1);
  return Array.from({ length: width }, (_, column) => {
    const middle = scale.invert(column + 0.5);
    const next = bisectRight(times, middle);
    const [before, after] = [Math.max(next - 1, 0), Math.min(next, times.length - 1)];
    const nearest = columnOf(before) === column ? before : after;
    const between = (middle - (times[before] as number)) / ((times[after] as number) - (times[before] as number));
    return layers.map(({ bands }): Band => {
      const [from, to] = [bands[before] as Band, bands[after] as Band];
      if (isBelow(from) !== isBelow(to)) return bands[nearest] as Band;
      const band: Band = [mix(from[0], to[0], between), mix(from[1], to[1], between)];
      // At an end, or beside a gap: the point that is in the column.
      return Number.isNaN(band[1]) && columnOf(nearest) === column ? (bands[nearest] as Band) : band;
    });
  });
}

function mix(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

/** The bands of all layers in each column: buckets from edge to edge, with a blank between where there is room. */
function placeBuckets({ times, ends = times, layers }: Stack, scale: Scale): Band[][] {
  const [, width = 0] = scale.range();
  const starts = times.map((time) => Math.round(scale(time)));
  const stops = ends.map((end) => Math.round(scale(end)));
  const blank = starts.every((start, index) => (stops[index] as number) - start >= 3) ? 1 : 0;
  const columns: Band[][] = Array.from({ length: width }, () => []);
  for (const [index, start] of starts.entries()) {
    const stop = Math.max((stops[index] as number) - blank, start + 1);
    columns.fill(
      layers.map(({ bands }) => bands[index] as Band),
      start,
      stop,
    );
  }
  return columns;
}

/** The layer that each part of a column of cells belongs to, from the lowest. */
function findOwners(bands: readonly Band[], { height, scale }: Pick<PlotCells, "height" | "scale">): Int16Array {
  const owners = new Int16Array(height * PARTS).fill(NOBODY);
  const toPart = (value: number) => Math.round(Math.max(scale(value), 0) * PARTS);
  for (const [index, [low, high]] of bands.entries()) if (high > low) owners.fill(index, toPart(low), toPart(high));
  return owners;
}

interface CellOfPlot {
  readonly plot: PlotCells;
  readonly column: number;
  readonly row: number;
}

function drawCell(owners: Int16Array, { plot: { canvas, left, top, look }, column, row }: CellOfPlot): void {
  const { pens, inks, letters } = look;
  const write = (text: string, style?: string) => canvas.write(left + column, top + row, { text, style });
  if (letters) {
    const { owner } = findMost(owners, 0, PARTS);
    if (owner !== NOBODY) write(letters[owner] as string, inks?.[owner]?.front);
    return;
  }
  const block = pickBlock(owners);
  const style = inks && styleBlock(block, inks, pens.inverse);
  if (block.lower !== NOBODY) write(toLowerBlock(block.split), style);
  else if (block.upper !== NOBODY) write(inks ? toLowerBlock(block.split) : toUpperBlock(block.split), style);
}

function styleBlock({ lower, upper }: Block, inks: readonly Ink[], inverse: string): string {
  const front = inks[lower]?.front;
  // No block hangs from the upper edge of a cell: the lower one is drawn in the background's colour.
  if (front === undefined) return `${inverse};${inks[upper]?.front ?? ""}`;
  const back = inks[upper]?.back;
  return back === undefined ? front : `${front};${back}`;
}

/** Stacks in block characters: eight parts of a cell, one above the other, in at most two colours. */
const PARTS = 8;
/** The owner of a part that no series covers. */
const NOBODY = -1;

const LOWER = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** A cell whose lower `split` parts are one series' and whose others are another's. */
interface Block {
  readonly split: number;
  readonly lower: number;
  readonly upper: number;
}

/** The cell most like the owners of its parts, given from the lowest. */
export function pickBlock(owners: ArrayLike<number>): Block {
  const first = findMost(owners, 0, PARTS);
  let best: Block & { readonly covered: number } = { split: PARTS, lower: first.owner, upper: NOBODY, covered: first.count };
  for (let split = 1; split < PARTS && best.covered < PARTS; split++) {
    const lower = findMost(owners, 0, split);
    const upper = findMost(owners, split, PARTS);
    const covered = lower.count + upper.count;
    if (covered > best.covered) best = { split, lower: lower.owner, upper: upper.owner, covered };
  }
  return best;
}

/** Who has most of the parts. */
function findMost(owners: ArrayLike<number>, from: number, to: number): { readonly owner: number; readonly count: number } {
  let most = { owner: owners[from] as number, count: 0 };
  for (let start = from; start < to; start++) {
    const owner = owners[start] as number;
    if (owner === most.owner && most.count > 0) continue;
    let count = 0;
    for (let at = start; at < to; at++) if (owners[at] === owner) count++;
    if (count > most.count) most = { owner, count };
  }
  return most;
}

/** The character whose lower `split` parts are drawn. */
export function toLowerBlock(split: number): string {
  return LOWER[split] ?? "█";
}

/** The nearest character whose upper parts are drawn, above `split` that are not. */
export function toUpperBlock(split: number): string {
  if (split <= 2) return "█";
  return split <= 5 ? "▀" : split < PARTS ? "▔" : " ";
}
