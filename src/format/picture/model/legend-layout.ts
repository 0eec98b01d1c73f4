/** Where the marks, names and figures of a legend stand: in columns, or without figures in lines. */
import { type FigureName, type LegendEntry, listLegend, listLegendFigures } from "./legend.ts";
import type { Panel, PictureSeries } from "./picture.ts";

/** Sizes in the units of a surface, and how it shows texts. */
export interface LegendStyle {
  readonly measure: (text: string) => number;
  /** Height of a line. */
  readonly line: number;
  /** Of a mark and the blank after it. */
  readonly mark: number;
  /** Between entries, and before figures. */
  readonly gap: number;
  readonly figureGap: number;
  /** Longer names are visibly cut. */
  readonly maxName: number;
  readonly show?: (name: string) => string;
  readonly print?: (value: number | undefined) => string;
}

/** Places are from the left, and lines from the top. */
export interface Legend {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly { readonly series: PictureSeries; readonly x: number; readonly line: number }[];
  readonly texts: readonly LegendText[];
}

interface LegendText {
  readonly text: string;
  readonly x: number;
  readonly line: number;
  /** True for figures, whose place is their end. */
  readonly isEnd?: boolean;
  readonly isMuted?: boolean;
}

export interface LegendContent {
  /** The panels that have a legend. */
  readonly panels: readonly Panel[];
  readonly style: LegendStyle;
  /** True if the only legend is that of all panels. */
  readonly sharesLegend: boolean;
}

interface Content {
  readonly entries: readonly LegendEntry[];
  readonly figures: readonly FigureName[];
}

type ListFigures = (panel: Panel) => readonly FigureName[];

/** The share of a stack, else the mean. */
const listOneFigure: ListFigures = (panel) => listLegendFigures(panel).slice(-1);
const listNoFigures: ListFigures = () => [];

/** What is tried in turn: columns beside the plots as long as they have figures, then the same below, then names alone. */
const CHOICES = [
  { listFigures: listLegendFigures, isBeside: true },
  { listFigures: listOneFigure, isBeside: true },
  { listFigures: listLegendFigures, isBeside: false },
  { listFigures: listOneFigure, isBeside: false },
  { listFigures: listNoFigures, isBeside: true },
  { listFigures: listNoFigures, isBeside: false },
];

/** Lists legends that take less and less room. `width`: below the plots. */
export function* listLegends(
  { panels, style, sharesLegend }: LegendContent,
  width: number,
): Generator<{ readonly legends: readonly Legend[]; readonly isBeside: boolean }> {
  if (panels.length === 0) yield { legends: [], isBeside: false };
  // One legend of several panels has no figures: each panel has its own.
  else
    for (const { listFigures, isBeside } of CHOICES.slice(sharesLegend ? -2 : 0)) {
      const contents = panels.map((panel) => createContent(panel, listFigures(panel), style));
      const room = isBeside ? 0 : width;
      yield { legends: contents.map((content) => layOutLegend(content, style, room)), isBeside };
    }
}

function createContent(panel: Panel, figures: readonly FigureName[], style: LegendStyle): Content {
  const fits = (name: string) => style.measure(name) <= style.maxName;
  return { entries: listLegend(panel, figures, { ...style, fits }), figures };
}

/** As many columns as fit the width, at least one; without figures, lines. */
function layOutLegend(content: Content, style: LegendStyle, room: number): Legend {
  const { entries, figures } = content;
  if (figures.length === 0) return layOutLegendLines(entries, style, room);
  for (let rows = 1; rows < entries.length; rows++) {
    const legend = layOutLegendColumns(content, style, rows);
    if (legend.width <= room) return legend;
  }
  return layOutLegendColumns(content, style, entries.length);
}

function layOutLegendLines(entries: readonly LegendEntry[], style: LegendStyle, room: number): Legend {
  const { measure, mark, gap, line: height } = style;
  const widths = entries.map(({ name }) => mark + measure(name));
  const places = flow(widths, room, gap);
  return {
    width: Math.max(0, ...places.map(({ x }, index) => x + (widths[index] as number))),
    height: ((places.at(-1)?.line ?? -1) + 1) * height,
    marks: places.map((place, index) => ({ ...place, series: (entries[index] as LegendEntry).series })),
    texts: places.map(({ x, line }, index) => ({ x: x + mark, line, text: (entries[index] as LegendEntry).name })),
  };
}

/** Places texts of these widths in lines. Returns the start of each in its line, and its line. */
function flow(widths: readonly number[], room: number, gap: number): { readonly x: number; readonly line: number }[] {
  let [x, line] = [0, 0];
  return widths.map((width) => {
    if (x > 0 && x + width > room) [x, line] = [0, line + 1];
    const place = { x, line };
    x += width + gap;
    return place;
  });
}

/** Columns of `rows` entries each, below the titles of the figures. */
function layOutLegendColumns({ entries, figures }: Content, style: LegendStyle, rows: number): Legend {
  const { measure, mark, gap, figureGap, line: height } = style;
  const top = figures.length > 0 ? 1 : 0;
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(measure));
  const marks: Legend["marks"][number][] = [];
  const texts: LegendText[] = [];
  let x = 0;
  for (let start = 0; start < entries.length; start += rows) {
    const column = entries.slice(start, start + rows);
    marks.push(...column.map(({ series }, index) => ({ series, x, line: top + index })));
    texts.push(...column.map(({ name }, index) => ({ text: name, x: x + mark, line: top + index })));
    x += mark + widest(column.map(({ name }) => name));
    for (const [at, title] of figures.entries()) {
      const cells = [title, ...column.map((entry) => entry.figures[at] as string)];
      const end = (x += figureGap + widest(cells));
      texts.push(...cells.map((text, line) => ({ text, x: end, line, isEnd: true, isMuted: line === 0 })));
    }
    x += gap;
  }
  return { width: Math.max(0, x - gap), height: (top + rows) * height, marks, texts };
}
