/** The legend of a panel in terminal cells: names and figures. */
import { flow } from "../model/arrange.ts";
import { type FigureName, type LegendEntry, listLegend } from "../model/legend.ts";
import type { ChartPanel } from "./look.ts";
import { SGR, type StyledText } from "./canvas.ts";
import { measureChartText, printCompact, toShownText } from "./text.ts";

interface LegendContent {
  readonly entries: readonly (Pick<LegendEntry, "name" | "figures"> & { readonly mark: StyledText })[];
  readonly figures: readonly FigureName[];
}

/** `width`: in cells; longer names are visibly cut. */
export function createLegend(
  { panel, letters, inks, unicode }: ChartPanel,
  { figures, width }: Pick<LegendContent, "figures"> & { readonly width: number },
): LegendContent {
  const entries = listLegend(panel, figures, {
    fits: (text) => measureChartText(text) <= width - MARK_WIDTH,
    show: (name) => toShownText(name, unicode),
    print: printCompact,
  });
  const markOf = (index: number): StyledText => ({ text: letters?.[index] ?? "■", style: inks?.[index] });
  return {
    entries: entries.map(({ series, ...entry }) => ({ ...entry, mark: markOf(panel.series.indexOf(series)) })),
    figures,
  };
}

/** Texts with their cells, from the upper left of the legend. */
export interface Legend {
  readonly width: number;
  readonly rows: number;
  readonly texts: readonly (StyledText & { readonly x: number; readonly y: number })[];
}

/** Cells for an entry's mark and the blank after it. */
const MARK_WIDTH = 2;
/** Blank cells between figures. */
const FIGURE_GAP = 2;
/** Cells between adjacent entries. */
const ENTRY_GAP = 2;

/**
 * Lays out as many columns as fit the width, at least one. Without figures, entries follow each other in as many lines
 * as needed.
 */
export function layOutLegend(content: LegendContent, width: number): Legend {
  if (content.figures.length === 0) return flowEntries(content, width);
  const count = content.entries.length;
  for (let rows = 1; rows < count; rows++) {
    const legend = placeColumns(content, rows);
    if (legend.width <= width) return legend;
  }
  return placeColumns(content, count);
}

function flowEntries({ entries }: LegendContent, room: number): Legend {
  const widths = entries.map(({ name }) => MARK_WIDTH + measureChartText(name));
  const places = flow(widths, room, ENTRY_GAP);
  const texts = entries.flatMap(({ mark, name }, index) => {
    const { x, line: y } = places[index] as (typeof places)[number];
    return [
      { ...mark, x, y },
      { text: name, x: x + MARK_WIDTH, y },
    ];
  });
  const width = Math.max(0, ...widths.map((cells, index) => (places[index]?.x ?? 0) + cells));
  return { width, rows: (places.at(-1)?.line ?? -1) + 1, texts };
}

/** Places columns of `rows` entries each, below the titles of the figures. */
function placeColumns({ entries, figures }: LegendContent, rows: number): Legend {
  const texts: Legend["texts"][number][] = [];
  let x = 0;
  for (let start = 0; start < entries.length; start += rows) {
    const column = entries.slice(start, start + rows);
    for (const [index, { mark, name }] of column.entries())
      texts.push({ ...mark, x, y: index + 1 }, { text: name, x: x + MARK_WIDTH, y: index + 1 });
    x += MARK_WIDTH + Math.max(...column.map(({ name }) => measureChartText(name)));
    for (const [index, title] of figures.entries()) {
      const values = column.map((entry) => entry.figures[index] as string);
      x += FIGURE_GAP + Math.max(title.length, ...values.map((value) => value.length));
      texts.push({ text: title, style: SGR.dim, x: x - title.length, y: 0 });
      texts.push(...values.map((text, row) => ({ text, x: x - text.length, y: row + 1 })));
    }
    x += ENTRY_GAP;
  }
  return { width: x - ENTRY_GAP, rows: rows + 1, texts };
}
