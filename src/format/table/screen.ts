/** Draws a table as lines that fit a screen: as many rows as it has room for, and what the lines below the rows say. */
import { countLines, DEFAULT_SCREEN, wrapMessage } from "../../base/terminal.ts";
import type { FormatOptions, OutputScreen } from "../format.ts";
import { joinItems, measureCells } from "../text-width.ts";
import { type Drawing, drawGrid, drawRecords } from "./draw.ts";
import { type Fit, fits, pickAt } from "./fit.ts";
import { type Footer, type Grid, MARK, type Section } from "./grid.ts";

const MIN_ROWS = 1;
/** Lines for the prompt after the output. */
const PROMPT_LINES = 1;

export function widthOf({ isTerminal, columns }: OutputScreen): number {
  return isTerminal ? columns || DEFAULT_SCREEN.columns : Number.POSITIVE_INFINITY;
}

/** A table and how its columns fit; undefined if it is shown as records. */
export interface Fitted {
  readonly grid: Grid;
  readonly fit: Fit | undefined;
  /** True if the columns that do not fit stand below, beside the first one. */
  readonly folds?: boolean | undefined;
}

type ScreenOptions = Pick<FormatOptions, "screen" | "linesAbove" | "limit">;

/** Draws the rows of the limit, of each section; by default as many as fit the terminal, else all. */
export function drawScreen(fitted: Fitted, { screen, linesAbove, limit }: ScreenOptions): Iterable<string> {
  const page = { width: widthOf(screen), colors: screen.colors };
  const { sections } = fitted.grid;
  const drawAll = (rows: number) => drawRows(fitted, { limits: sections.map(() => rows), isFitted: false }, page);
  if (limit !== undefined || !screen.isTerminal) return drawAll(limit ?? 0);
  const height = (screen.rows || DEFAULT_SCREEN.rows) - PROMPT_LINES - (linesAbove?.() ?? 0);
  const draw = (rows: number) => [...drawRows(fitted, { limits: shareRows(sections, rows), isFitted: true }, page)];
  const least = MIN_ROWS * sections.length;
  const all = sections.reduce((sum, { count }) => sum + count, 0);
  const hasRoom = (lines: readonly string[]) => countLines(lines, page.width, measureCells) <= height;
  // A line for what is left out, and another for how to see it, may be what does not fit.
  const whole = all <= height ? draw(all) : [];
  if (all <= height && hasRoom(whole)) return whole;
  let fitting: string[] | undefined;
  let [most, tooMany] = [least, Math.max(least, Math.min(height, all)) + 1];
  while (tooMany - most > 1) {
    const rows = Math.floor((most + tooMany) / 2);
    const lines = draw(rows);
    if (hasRoom(lines)) [fitting, most] = [lines, rows];
    else tooMany = rows;
  }
  return fitting ?? draw(least);
}

/** Shares rows among sections as evenly as their counts allow. */
function shareRows(sections: readonly Section[], rows: number): number[] {
  let left = rows;
  const shares = new Map<Section, number>();
  for (const [index, section] of sections.toSorted((a, b) => a.count - b.count).entries()) {
    const share = Math.min(section.count, Math.ceil(left / (sections.length - index)));
    shares.set(section, Math.max(1, share));
    left -= share;
  }
  return sections.map((section) => shares.get(section) ?? 1);
}

interface RowLimits {
  /** Maximum number of rows of each section; 0 for all. */
  readonly limits: readonly number[];
  /** True if the screen's height decides the number of rows. */
  readonly isFitted: boolean;
}

function* drawRows({ grid, fit, folds }: Fitted, { limits, isFitted }: RowLimits, page: Drawing): Generator<string> {
  const { sections } = grid;
  const excerpts = sections.map((section, at) => section.take(limits[at] ?? 0, fit?.shown[0] ?? 0));
  const names = fit ? pickAt(grid.columns, fit.shown).map(({ name }) => name) : [];
  const isMarked = [...names, ...excerpts.flatMap(({ rows }) => rows.map(([first = ""]) => first))].some((text) =>
    text.endsWith(MARK),
  );
  const shown = sections.map(({ count }, at) => Math.min(count, limits[at] || count));
  yield* fit ? drawGrid(grid, { ...fit, excerpts }, page) : drawRecords(grid, excerpts, page);
  yield "\n";
  const folded = fit && folds ? foldColumns(grid, fit, page.width) : [];
  if (fit && folded.length > 1) {
    yield* drawGrid(grid, { ...fit, shown: folded, excerpts }, page);
    yield "\n";
  }
  const all = fit && { ...fit, shown: [...fit.shown, ...folded] };
  for (const line of layFooter(grid.describe(shown), {
    grid,
    fit: all,
    isFitted,
    isMarked,
    width: page.width,
  }))
    yield `${line}\n`;
}

/** Intervals that a transposed table leaves out have no name. */
function listHidden({ columns }: Grid, { shown }: Fit): number[] {
  return [...columns.keys()].filter((at) => columns[at]?.name !== "" && !shown.includes(at));
}

/** The first column, and those of the hidden ones that fit beside it. */
function foldColumns(grid: Grid, fit: Fit, width: number): number[] {
  const folded = fit.shown.slice(0, 1);
  for (const at of listHidden(grid, fit))
    if (fits(grid.columns, { ...fit, shown: [...folded, at], width })) folded.push(at);
  return folded;
}

interface Room extends Fitted {
  readonly isFitted: boolean;
  /** True if an interval that is shown is marked. */
  readonly isMarked: boolean;
  readonly width: number;
}

function layFooter(
  { groups, optional, hints, remarks }: Footer,
  { grid, fit, isFitted, isMarked, width }: Room,
): string[] {
  const left = fit ? pickAt(grid.columns, listHidden(grid, fit)) : [];
  const hidden = left.map(({ name }, index) => (index === 0 ? `hidden (terminal too narrow): ${name}` : name));
  const lay = (all: Footer["groups"]) => [...all, hidden].flatMap((items) => joinItems(items, width));
  let said = groups;
  for (const item of isFitted ? [...hints, ...optional] : optional) {
    const places = [...said.keys()]
      .toReversed()
      .map((place) => said.map((items, at) => (at === place ? [...items, item] : items)));
    said = places.find((place) => lay(place).length === lay(said).length) ?? said;
  }
  return [
    ...lay(said),
    ...remarks.filter((remark) => isMarked || !remark.isOfMark).flatMap(({ text }) => wrapMessage(text, width)),
  ];
}
