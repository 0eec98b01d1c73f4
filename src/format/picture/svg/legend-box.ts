/** Legends on a page, in pixels. */
import type { Legend } from "../model/legend-layout.ts";
import type { PictureSeries } from "../model/picture.ts";
import type { TextSizes } from "./markup.ts";

export interface LegendBox {
  readonly swatches: readonly { readonly series: PictureSeries; readonly x: number; readonly y: number }[];
  /** By their baselines. */
  readonly texts: readonly {
    readonly text: string;
    readonly x: number;
    readonly y: number;
    readonly isEnd: boolean;
    readonly isMuted: boolean;
  }[];
}

/** `middles`: of its lines. */
function placeLegend(
  { marks, texts }: Legend,
  { x: left, middles }: { readonly x: number; readonly middles: readonly number[] },
  { font }: TextSizes,
): LegendBox {
  const place = ({ x, line }: { readonly x: number; readonly line: number }, rise: number) => ({
    x: left + x,
    y: (middles[line] as number) + rise * font,
  });
  return {
    swatches: marks.map((mark) => ({ series: mark.series, ...place(mark, -0.45) })),
    texts: texts.map(({ text, isEnd = false, isMuted = false, ...at }) => ({
      text,
      isEnd,
      isMuted,
      ...place(at, 0.36),
    })),
  };
}

export function placeBelow(
  legend: Legend,
  { x, y }: { readonly x: number; readonly y: number },
  sizes: TextSizes,
): LegendBox {
  const lines = Math.round(legend.height / sizes.line);
  return placeLegend(
    legend,
    { x, middles: Array.from({ length: lines }, (_, at) => y + (at + 0.5) * sizes.line) },
    sizes,
  );
}

export interface BesidePlace {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  /** Where the marks of a series end; undefined if its last value is missing. */
  readonly endOf: (series: PictureSeries) => number | undefined;
}

/** Places each name as near to the end of its mark as the others allow. */
export function placeBeside(legend: Legend, { x, top, bottom, endOf }: BesidePlace, sizes: TextSizes): LegendBox {
  const { line } = sizes;
  const wanted = legend.marks.map(({ series }) => endOf(series));
  // The titles of the figures stand above the first name.
  const first = wanted.find((wish) => wish !== undefined);
  const hasTitles = legend.marks[0]?.line === 1;
  const all = hasTitles ? [first === undefined ? undefined : first - line, ...wanted] : wanted;
  const middles = spread(all, { from: top + line / 2, to: bottom - line / 2, distance: line });
  return placeLegend(legend, { x, middles }, sizes);
}

interface Spreading {
  readonly from: number;
  readonly to: number;
  readonly distance: number;
}

/** Moves positions apart, in their order, by as little as possible; one without a wish follows the one before it. */
function spread(wanted: readonly (number | undefined)[], { from, to, distance }: Spreading): number[] {
  // Positions less their rank must not fall: neighbours that do are pooled at their mean.
  const pools: { sum: number; count: number }[] = [];
  const wishes: number[] = [];
  for (const wish of wanted) wishes.push(wish ?? (wishes.at(-1) ?? from - distance) + distance);
  for (const [index, wish] of wishes.entries()) {
    let pool = { sum: wish - index * distance, count: 1 };
    for (let last = pools.at(-1); last && last.sum / last.count > pool.sum / pool.count; last = pools.at(-1)) {
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count };
      pools.pop();
    }
    pools.push(pool);
  }
  const highest = to - (wanted.length - 1) * distance;
  const bases = pools.flatMap(({ sum: total, count }) =>
    Array<number>(count).fill(Math.max(from, Math.min(total / count, highest))),
  );
  return bases.map((base, index) => base + index * distance);
}
