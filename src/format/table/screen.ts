/** A table as lines that fit a screen. */
import { formatNumber } from "../../base/phrases.ts";
import { countLines, DEFAULT_SCREEN } from "../../base/terminal.ts";
import type { OutputScreen } from "../format.ts";
import { drawRecords, drawTable } from "./draw.ts";
import { fitColumns, measureText } from "./fit.ts";
import { takeExcerpt } from "./texts.ts";
import type { View } from "./view.ts";

export interface TableDrawing {
  /** Each ends in `\n`. */
  readonly lines: Iterable<string>;
  /** Whether each row is a line with all its columns. */
  readonly isWhole: boolean;
}

export interface Viewing {
  readonly screen: OutputScreen;
  readonly linesAbove?: (() => number) | undefined;
  /** Rows; 0 is all. By default as many as the screen's height holds. */
  readonly limit?: number | undefined;
  readonly width?: number;
}

interface TableFrame {
  readonly limit: number;
  readonly width: number;
  readonly colors: boolean;
}

const MIN_ROWS = 2;
/** The command and the prompt after it. */
const OTHER_LINES = 2;

export function widthOf({ isTerminal, columns }: OutputScreen): number {
  return isTerminal ? columns || DEFAULT_SCREEN.columns : Number.POSITIVE_INFINITY;
}

export function drawView(view: View, { screen, linesAbove, limit, width = widthOf(screen) }: Viewing): TableDrawing {
  const draw = (rows: number) => drawFrame(view, { limit: rows, width, colors: screen.colors });
  if (limit !== undefined || !screen.isTerminal) return draw(limit ?? 0);
  const height = (screen.rows || DEFAULT_SCREEN.rows) - OTHER_LINES - (linesAbove?.() ?? 0);
  let fitting: TableDrawing | undefined;
  let [most, tooMany] = [MIN_ROWS, Math.max(MIN_ROWS, Math.min(height, view.rows.count)) + 1];
  while (tooMany - most > 1) {
    const rows = Math.floor((most + tooMany) / 2);
    const { lines, isWhole } = draw(rows);
    const drawing = { lines: [...lines], isWhole };
    if (countLines(drawing.lines, width, measureText) > height) tooMany = rows;
    else [fitting, most] = [drawing, rows];
  }
  return fitting ?? draw(MIN_ROWS);
}

/** Under the rows: how many they are, from when to when, and what stands once for all of them. */
function drawFrame(view: View, { limit, width, colors }: TableFrame): TableDrawing {
  const { rows, constants, listMinor, facts } = view;
  const { columns, skippedAt, ...excerpt } = takeExcerpt(rows, { limit, colors });
  const varying = columns.filter(({ index }) => !constants.has(index));
  const layout = fitColumns(varying, width, () => listMinor(new Set(varying.map(({ index }) => index))));
  const hidden = layout?.hidden ?? [];
  const common = columns.flatMap(({ index, name, unit }) => {
    const value = constants.get(index);
    if (value === undefined) return [];
    return value === "" ? `${name} (none)` : [name, value, unit].filter(Boolean).join(" ");
  });
  const footer = [
    listAmounts(view, excerpt),
    [...common, ...facts],
    hidden.map((name, index) => (index === 0 ? `hidden (terminal too narrow): ${name}` : name)),
  ];
  return {
    lines: drawLines(layout ? drawTable(layout.columns, colors) : drawRecords({ columns: varying, skippedAt }, width), footer, width),
    isWhole: layout?.hidden.length === 0,
  };
}

/** `2 of 864 rows`, the first and the last timestamp, the zone, the interval: those that are known. */
function listAmounts({ rows: { count, interval }, zone }: View, { shown, window }: { shown: number; window: readonly string[] }): string[] {
  const rows = `${formatNumber(count)} ${count === 1 ? "row" : "rows"}`;
  const amount = shown < count ? `${formatNumber(shown)} of ${rows}` : rows;
  if (window.length === 0) return [amount];
  return [amount, window.join(" to "), ...(zone === undefined ? [] : [zone]), ...(interval ? [`interval ${interval}`] : [])];
}

function* drawLines(body: Iterable<string>, footer: readonly (readonly string[])[], width: number): Generator<string> {
  yield* body;
  yield "\n";
  for (const items of footer) for (const line of joinItems(items, width)) yield `${line}\n`;
}

/** Lines of items, none of which is broken. */
function joinItems(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.at(-1);
    // A comma may follow.
    if (line === undefined || measureText(`${line}, ${item},`) > width) lines.push(item);
    else lines[lines.length - 1] = `${line}, ${item}`;
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line));
}
