/** Sizes of texts, about: nothing here knows the fonts of the reader. In pixels. */
import { measureCells } from "../../text-width.ts";
import { listTitles, printFigures } from "../model/legend.ts";
import type { Panel } from "../model/picture.ts";

export const FONT = 12;
/** From one line of text to the next. */
export const LINE = 18;
/** The width of a character: a little more than the mean in most system fonts. */
export const CHARACTER = FONT * 0.56;
/** The colour before a name. */
export const SWATCH = 18;

const FIGURE_GAP = 16;
const MAX_NAME = 200;

export interface LegendSize {
  readonly width: number;
  readonly height: number;
  /** The width of each column of figures. */
  readonly columns: readonly number[];
}

export function measureLegend(panel: Panel): LegendSize {
  const names = Math.min(MAX_NAME, measureTexts(panel.series.map(({ name }) => name))) + CHARACTER;
  const figures = panel.series.map(printFigures);
  const columns = listTitles(panel).map((title, index) => FIGURE_GAP + measureTexts([title, ...figures.map((row) => row[index] ?? "")]));
  return { width: columns.reduce((sum, column) => sum + column, SWATCH + names), height: LINE * (figures.length + 1), columns };
}

/** The width of the longest text. */
export function measureTexts(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => measureCells(text) * CHARACTER));
}

/** As much of a text as so many pixels hold. */
export function fitText(text: string, width: number): string {
  const fitting = Math.max(1, Math.floor(width / CHARACTER));
  if (text.length <= fitting) return text;
  const start = Array.from(text).slice(0, Math.max(1, fitting - 2));
  return `${start.join("")}...`;
}
