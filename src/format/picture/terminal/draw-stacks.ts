/** Draws series as stacked areas and columns, negative values below zero. */
import { bisectRight } from "d3-array";
import { type Band, isBelow, type Stack, stackPanel } from "../model/sample.ts";
import { createMarkScale, type Scale } from "../model/scales.ts";
import { createAreaScale } from "./cell-scale.ts";
import { SGR, type StyledText } from "./canvas.ts";
import { listPartialColumns, type Plot, weaken } from "./look.ts";

export function drawStacks(plot: Plot): void {
  const { panel, canvas, left, top, width, height, time, scale } = plot;
  const timeScale = createMarkScale(createAreaScale(time, width), time, panel);
  const stack = stackPanel(panel, timeScale);
  const columns = stack.ends ? placeIntervals(stack, timeScale, width) : sampleAreas(stack, timeScale, width);
  const partial = listPartialColumns(plot);
  const toPart = (value: number) => Math.round(Math.max(scale(value), 0) * PARTS);
  for (const [column, bands] of columns.entries()) {
    // The layer that owns each part of the column, from the lowest part.
    const owners = new Int16Array(height * PARTS).fill(NOBODY);
    for (const [index, [low, high]] of bands.entries()) if (high > low) owners.fill(index, toPart(low), toPart(high));
    for (let row = 0; row < height; row++) {
      const from = (height - 1 - row) * PARTS;
      const cell = chooseCell(owners.subarray(from, from + PARTS), plot);
      if (cell) canvas.write(left + column, top + row, partial.has(column) ? weaken(cell) : cell);
    }
  }
}

/** Samples the bands of all layers in the middle of each column, interpolating between points. */
function sampleAreas({ times, layers }: Stack, scale: Scale, width: number): Band[][] {
  const columnOf = (index: number) => Math.min(Math.floor(scale(times[index] as number)), width - 1);
  return Array.from({ length: width }, (_, column) => {
    const middle = scale.invert(column + 0.5);
    const next = bisectRight(times, middle);
    const [before, after] = [Math.max(next - 1, 0), Math.min(next, times.length - 1)];
    const nearest = columnOf(before) === column ? before : after;
    const between = (middle - (times[before] as number)) / ((times[after] as number) - (times[before] as number));
    const mix = (from: number, to: number) => from + (to - from) * between;
    return layers.map(({ bands }): Band => {
      const [from, to] = [bands[before] as Band, bands[after] as Band];
      if (isBelow(from) !== isBelow(to)) return bands[nearest] as Band;
      const band: Band = [mix(from[0], to[0]), mix(from[1], to[1])];
      // At an end, or beside a gap: use the point in the column.
      return Number.isNaN(band[1]) && columnOf(nearest) === column ? (bands[nearest] as Band) : band;
    });
  });
}

/** Places the bands of all layers in columns: intervals from edge to edge, separated by a blank if space allows. */
function placeIntervals({ times, ends = times, layers }: Stack, scale: Scale, width: number): Band[][] {
  const starts = times.map((time) => Math.round(scale(time)));
  const stops = ends.map((end) => Math.round(scale(end)));
  const blank = starts.every((start, index) => (stops[index] as number) - start >= 3) ? 1 : 0;
  const columns: Band[][] = Array.from({ length: width }, () => []);
  for (const [index, start] of starts.entries()) {
    const stop = Math.max((stops[index] as number) - blank, start + 1);
    const bands = layers.map((layer) => layer.bands[index] as Band);
    columns.fill(bands, start, stop);
  }
  return columns;
}

/** Chooses the text of a cell. `owners`: of its parts, from the lowest. */
function chooseCell(owners: ArrayLike<number>, { letters, inks }: Plot): StyledText | undefined {
  if (letters) {
    const { owner } = findMost(owners, 0, PARTS);
    return owner === NOBODY ? undefined : { text: letters[owner] as string, style: inks?.[owner] };
  }
  const { split, lower, upper } = pickBlock(owners);
  if (lower === NOBODY && upper === NOBODY) return undefined;
  if (!inks) return { text: lower === NOBODY ? toUpperBlock(split) : toLowerBlock(split) };
  const [front, above] = [inks[lower], inks[upper]];
  // Blocks in eighths start only at the lower edge, so an empty lower part is a block in the background's colour.
  if (front === undefined) return { text: toLowerBlock(split), style: `${SGR.inverse};${above ?? ""}` };
  return { text: toLowerBlock(split), style: above === undefined ? front : `${front};${toBackground(above)}` };
}

/** SGR codes of a background are those of the foreground, with the first number 10 higher. */
function toBackground(ink: string): string {
  return ink.replace(/^\d+/, (code) => String(Number(code) + 10));
}

/** Parts of a cell, from bottom to top, in at most two colours. */
const PARTS = 8;
/** The owner of parts that no series covers. */
const NOBODY = -1;

/** A cell whose lower `split` parts belong to one series, and the others to another. */
interface BlockGlyph {
  readonly split: number;
  readonly lower: number;
  readonly upper: number;
}

/** Finds the block that matches most of the owners, given from the lowest part. */
function pickBlock(owners: ArrayLike<number>): BlockGlyph {
  const first = findMost(owners, 0, PARTS);
  let best: BlockGlyph & { readonly covered: number } = {
    split: PARTS,
    lower: first.owner,
    upper: NOBODY,
    covered: first.count,
  };
  for (let split = 1; split < PARTS && best.covered < PARTS; split++) {
    const lower = findMost(owners, 0, split);
    const upper = findMost(owners, split, PARTS);
    const covered = lower.count + upper.count;
    if (covered > best.covered) best = { split, lower: lower.owner, upper: upper.owner, covered };
  }
  return best;
}

/** Finds the owner of most parts. */
function findMost(
  owners: ArrayLike<number>,
  from: number,
  to: number,
): { readonly owner: number; readonly count: number } {
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

/** The character that fills the lower `split` parts. */
function toLowerBlock(split: number): string {
  return " ▁▂▃▄▅▆▇█"[split] ?? "█";
}

/** The nearest character that leaves the lower `split` parts empty and fills those above. */
function toUpperBlock(split: number): string {
  if (split <= 2) return "█";
  return split <= 5 ? "▀" : split < PARTS ? "▔" : " ";
}
