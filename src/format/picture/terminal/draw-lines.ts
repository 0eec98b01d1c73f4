/** Series as lines. */
import { scaleLinear } from "d3-scale";
import type { Panel, PictureSeries } from "../model/picture.ts";
import { createTimeScale } from "../model/scales.ts";
import { countDots, DOTS, Dots, toBraille } from "./dots.ts";
import type { PlotCells } from "./look.ts";

export function drawLines({ series }: Panel, plot: PlotCells): void {
  const { canvas, left, top, width, height, look } = plot;
  const traces = series.map((one) => traceLine(one, plot).cells);
  for (let cell = 0; cell < width * height; cell++) {
    const { bits, owner } = mergeDots(traces, cell);
    if (bits === 0) continue;
    const text = look.letters?.[owner] ?? toBraille(bits);
    canvas.write(left + (cell % width), top + Math.floor(cell / width), { text, style: look.inks?.[owner]?.front });
  }
}

/** The dots of all series in a cell, and the series with most of them: the last of those that have as many. */
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

/** Each column of dots has the least and the most of its points, and all between: no spike is lost, however many points. */
function traceLine({ times, values }: PictureSeries, { width, height, time, scale }: PlotCells): Dots {
  const dots = new Dots(width, height);
  const toX = createTimeScale(time, [0, width * DOTS.across - 1]);
  const toY = scaleLinear(scale.domain(), [height * DOTS.down - 1, 0]);
  /** Points since the last gap. */
  let run = 0;
  let x = 0;
  let y = 0;
  let highest = 0;
  let lowest = 0;
  const endRun = () => {
    if (run === 1) dots.enlarge(x, y);
    run = 0;
  };
  for (let index = 0; index < times.length; index++) {
    const value = values[index] as number;
    if (Number.isNaN(value)) {
      endRun();
      continue;
    }
    const nextX = Math.round(toX(times[index] as number));
    const nextY = Math.round(toY(value));
    if (run > 0 && nextX === x) {
      while (highest > nextY) dots.set(x, --highest);
      while (lowest < nextY) dots.set(x, ++lowest);
    } else {
      if (run > 0) dots.connect(x, y, { x: nextX, y: nextY });
      else dots.set(nextX, nextY);
      highest = nextY;
      lowest = nextY;
    }
    x = nextX;
    y = nextY;
    run++;
  }
  endRun();
  return dots;
}
