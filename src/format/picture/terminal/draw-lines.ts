/** Draws series as lines of braille dots. */
import type { NumberLine } from "../../../series/number-line.ts";
import type { PictureSeries } from "../model/picture.ts";
import { createMarkScale, type Scale } from "../model/scales.ts";
import { createCellScale } from "./cell-scale.ts";
import { listPartialColumns, type Plot, weaken } from "./look.ts";

export function drawLines(plot: Plot): void {
  const { panel, canvas, left, top, width, height, letters, inks, unicode } = plot;
  const scales = createDotScales(plot);
  const traces = panel.series.map((line) => traceLine(line, scales, new Dots(width, height)).cells);
  const ranges = panel.series.map((line) => traceRange(line, scales, new Dots(width, height)).cells);
  const partial = listPartialColumns(plot);
  for (let cell = 0; cell < width * height; cell++) {
    const line = mergeDots(traces, cell);
    const { bits, owner } = line.bits > 0 ? line : mergeDots(ranges, cell);
    if (bits === 0) continue;
    const isRange = line.bits === 0;
    // Without colours, a range cannot be lighter.
    const text = isRange && (letters || !inks) ? "." : (letters?.[owner] ?? toBraille(bits));
    const cellText = { text, style: inks?.[owner] };
    const isLight = isRange || partial.has(cell % width);
    canvas.write(left + (cell % width), top + Math.floor(cell / width), isLight ? weaken(cellText) : cellText);
  }
  for (const [index, { picked }] of panel.series.entries()) {
    for (const [at, time] of picked?.times.entries() ?? []) {
      const [x, y] = [Math.round(scales.toX(time)), Math.round(scales.toY(picked?.values[at] as number))];
      const text = unicode ? "●" : "@";
      canvas.write(left + Math.floor(x / DOTS.across), top + Math.floor(y / DOTS.down), { text, style: inks?.[index] });
    }
  }
}

interface DotScales {
  readonly toX: Scale;
  readonly toY: Scale;
}

function createDotScales({ panel, width, height, time, scale }: Plot): DotScales {
  return {
    toX: createMarkScale(createCellScale(time, width, DOTS.across), time, panel),
    toY: scale.copy().range([height * DOTS.down - 1, 0]),
  };
}

/** Fills what a line of means stands for, from the lowest to the highest value. */
function traceRange({ times, range }: PictureSeries, { toX, toY }: DotScales, dots: Dots): Dots {
  if (!range) return dots;
  let last: number | undefined;
  for (const [index, instant] of times.entries()) {
    const x = Math.round(toX(instant));
    const [bottom, top] = [range.low, range.high].map((ends) => Math.round(toY(ends[index] as number))) as [
      number,
      number,
    ];
    const isGap = Number.isNaN(bottom);
    // From the point before, unless there is a gap.
    const from = last === undefined ? x : Math.min(last + 1, x);
    if (!isGap) for (let at = from; at <= x; at++) dots.connect(at, bottom, { x: at, y: top });
    last = isGap ? undefined : x;
  }
  return dots;
}

/** Merges the dots of all series in a cell; the owner is the series with most dots, the last one if tied. */
function mergeDots(traces: readonly Uint8Array[], cell: number): { readonly bits: number; readonly owner: number } {
  let bits = 0;
  let owner = 0;
  let most = 0;
  for (const [index, cells] of traces.entries()) {
    const own = cells[cell] as number;
    if (own === 0) continue;
    bits |= own;
    const count = countDots(own);
    if (count >= most) [owner, most] = [index, count];
  }
  return { bits, owner };
}

/** Joins every point to the next, so that no spike is lost when many points share a column of dots. */
function traceLine({ times, values }: NumberLine, { toX, toY }: DotScales, dots: Dots): Dots {
  const isMissing = (index: number) => Number.isNaN(values[index] ?? Number.NaN);
  let last = { x: 0, y: 0 };
  for (let index = 0; index < times.length; index++) {
    if (isMissing(index)) continue;
    const next = { x: Math.round(toX(times[index] as number)), y: Math.round(toY(values[index] as number)) };
    if (!isMissing(index - 1)) dots.connect(last.x, last.y, next);
    else if (isMissing(index + 1)) dots.enlarge(next.x, next.y);
    last = next;
  }
  return dots;
}

/** The bit of each braille dot by column and row (Unicode, Braille Patterns). */
const BITS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

export const DOTS = { across: 2, down: 4 };

/** The dots of one series, as bits of their cells. */
class Dots {
  readonly width: number;
  readonly cells: Uint8Array;

  /** In cells. */
  constructor(width: number, height: number) {
    this.width = width;
    this.cells = new Uint8Array(width * height);
  }

  /** `x` and `y` in dots from the upper left. */
  set(x: number, y: number): void {
    const cell = (y >> 2) * this.width + (x >> 1);
    this.cells[cell] = (this.cells[cell] ?? 0) | (BITS[x & 1]?.[y & 3] ?? 0);
  }

  /** Sets four dots in a cell, to make a point without a line visible. */
  enlarge(x: number, y: number): void {
    for (const nearX of [x, x ^ 1]) for (const nearY of [y, y ^ 1]) this.set(nearX, nearY);
  }

  connect(fromX: number, fromY: number, to: { readonly x: number; readonly y: number }): void {
    const steps = Math.max(Math.abs(to.x - fromX), Math.abs(to.y - fromY), 1);
    for (let step = 0; step <= steps; step++) {
      this.set(
        Math.round(fromX + ((to.x - fromX) * step) / steps),
        Math.round(fromY + ((to.y - fromY) * step) / steps),
      );
    }
  }
}

function toBraille(bits: number): string {
  return String.fromCharCode(0x2800 + bits);
}

function countDots(bits: number): number {
  let count = 0;
  for (let rest = bits; rest > 0; rest &= rest - 1) count++;
  return count;
}
