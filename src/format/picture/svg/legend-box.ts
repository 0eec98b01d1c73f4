/** Legends on a page, in pixels: beside the plots, near the ends of the marks, or below them in lines. */
import { sort, sum } from "d3-array";
import { flow } from "../model/arrange.ts";
import { type FigureName, type LegendEntry, listLegendFigures, listLegend } from "../model/legend.ts";
import type { Panel, PictureSeries } from "../model/picture.ts";
import { measureText, measureTexts, type TextSizes } from "./markup.ts";

interface LegendText {
  readonly text: string;
  readonly x: number;
  /** The baseline. */
  readonly y: number;
  readonly isEnd: boolean;
  readonly isMuted: boolean;
}

export interface LegendBox {
  readonly swatches: readonly { readonly series: PictureSeries; readonly x: number; readonly y: number }[];
  readonly texts: readonly LegendText[];
}

/** Which of the figures a legend beside the plots has, from most to fewest. */
export const FIGURE_CHOICES = ["all", "one", "none"] as const;

export type FigureChoice = (typeof FIGURE_CHOICES)[number];

/** Longest name beside a plot, in font sizes. */
const MAX_NAME = 18;

function fitTo(room: number, { font }: TextSizes) {
  return { fits: (text: string) => measureText(text, font) <= room };
}

interface Content {
  readonly entries: readonly LegendEntry[];
  readonly titles: readonly FigureName[];
  /** Widths of the names and of the columns of figures. */
  readonly names: number;
  readonly columns: readonly number[];
}

const FIGURE_GAP = 14;

/** Lists what a legend has. The one figure is the share of a stack, else the mean. */
function listContent(panel: Panel, choice: FigureChoice, sizes: TextSizes): Content {
  const all = listLegendFigures(panel);
  const titles = { all, one: all.slice(-1), none: [] }[choice];
  const entries = listLegend(panel, titles, fitTo(MAX_NAME * sizes.font, sizes));
  const columns = titles.map(
    (title, at) => FIGURE_GAP + measureTexts([title, ...entries.map(({ figures }) => figures[at] ?? "")], sizes),
  );
  const names = measureTexts(
    entries.map(({ name }) => name),
    sizes,
  );
  return { entries, titles, names, columns };
}

/** The width of a legend beside a plot, and the height that it needs. */
export function measureBeside(
  panel: Panel,
  choice: FigureChoice,
  sizes: TextSizes,
): { readonly width: number; readonly height: number } {
  const { entries, titles, names, columns } = listContent(panel, choice, sizes);
  return {
    width: sizes.swatch + names + sum(columns),
    height: sizes.line * (entries.length + (titles.length > 0 ? 1 : 0)),
  };
}

export interface BesidePlace {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  /** Where the marks of a series end; undefined if its last value is missing. */
  readonly endOf: (series: PictureSeries) => number | undefined;
}

/** Places each name as near to the end of its mark as the others allow. */
export function placeBeside(
  panel: Panel,
  choice: FigureChoice,
  { x, top, bottom, endOf, sizes }: BesidePlace & { sizes: TextSizes },
): LegendBox {
  const { entries, titles, names, columns } = listContent(panel, choice, sizes);
  const { line, font, swatch } = sizes;
  const wanted = entries.map(({ series }) => endOf(series));
  // The titles of the figures stand above the first name.
  const first = wanted.find((wish) => wish !== undefined);
  const withTitles = titles.length > 0 ? [first === undefined ? undefined : first - line, ...wanted] : wanted;
  const all = spread(withTitles, { from: top + line / 2, to: bottom - line / 2, distance: line });
  const middles = all.slice(withTitles.length - wanted.length);
  const rights = columns.map((_, at) => x + swatch + names + sum(columns.slice(0, at + 1)));
  const baseline = (middle: number) => middle + font * 0.36;
  return {
    swatches: entries.map(({ series }, index) => ({ series, x, y: (middles[index] as number) - font * 0.45 })),
    texts: [
      ...titles.map((text, at) => ({
        text,
        x: rights[at] as number,
        y: baseline(all[0] as number),
        isEnd: true,
        isMuted: true,
      })),
      ...entries.flatMap(({ name, figures }, index) => {
        const y = baseline(middles[index] as number);
        const row = figures.map((text, at) => ({ text, x: rights[at] as number, y, isEnd: true, isMuted: false }));
        return [{ text: name, x: x + swatch, y, isEnd: false, isMuted: false }, ...row];
      }),
    ],
  };
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

const ENTRY_GAP = 12;

interface BelowPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** The smallest series are only counted if the names need more lines. */
  readonly maxLines: number;
}

/** Places names in lines from the top. */
export function placeBelow(panel: Panel, place: BelowPlace, sizes: TextSizes): LegendBox & { readonly height: number } {
  const all = listLegend(panel, [], fitTo(place.width - sizes.swatch, sizes));
  const bySize = sort(all, ({ series: { figures } }) => -Math.abs(figures.mean ?? 0));
  for (let kept = all.length; ; kept--) {
    const shown = new Set(bySize.slice(0, kept));
    const more = kept === all.length ? undefined : `and ${all.length - kept} more`;
    const entries = all.filter((entry) => shown.has(entry));
    const { lines, ...box } = placeInLines({ entries, more }, place, sizes);
    if (lines <= place.maxLines || kept <= 1) return { ...box, height: lines * sizes.line };
  }
}

interface Flowing {
  readonly entries: readonly LegendEntry[];
  /** What follows the names. */
  readonly more: string | undefined;
}

function placeInLines(
  { entries, more }: Flowing,
  { x: left, y: top, width }: BelowPlace,
  sizes: TextSizes,
): LegendBox & { readonly lines: number } {
  const { font, line, swatch } = sizes;
  const items = [
    ...entries.map(({ series, name }) => ({ series, text: name, indent: swatch })),
    ...(more === undefined ? [] : [{ text: more, indent: 0 }]),
  ];
  const places = flow(
    items.map(({ text, indent }) => indent + measureTexts([text], sizes)),
    width,
    ENTRY_GAP,
  );
  const placed = items.map((item, index) => {
    const { x, line: row } = places[index] as (typeof places)[number];
    return { ...item, x: left + x, middle: top + row * line + line / 2 };
  });
  return {
    swatches: placed.flatMap((item) =>
      "series" in item ? { series: item.series, x: item.x, y: item.middle - font * 0.45 } : [],
    ),
    texts: placed.map(({ text, indent, x, middle }) => ({
      text,
      x: x + indent,
      y: middle + font * 0.36,
      isEnd: false,
      isMuted: indent === 0,
    })),
    lines: (places.at(-1)?.line ?? 0) + 1,
  };
}
