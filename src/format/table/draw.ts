/** Fits columns to a width, without cutting names or numbers, and draws them. */
import CliTable from "cli-table3";
import { bold, formatTerms } from "../../base/terminal.ts";
import { measureCells, measurePlain } from "../text-width.ts";
import type { TextColumn } from "./texts.ts";

/** Spaces between two columns. */
const GAP = 2;
const BLANKS = " ".repeat(GAP);
const SIDES = ["top", "bottom"].flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`]);
const BORDERS = [...SIDES, ...["left", "mid", "right"].flatMap((place) => [place, `${place}-mid`])];
const NO_BORDERS = { ...Object.fromEntries(BORDERS.map((border) => [border, ""])), middle: BLANKS };

/** Draws titles, a rule and rows; each line ends in `\n`. */
export function* drawTable(columns: readonly LaidColumn[], colors: boolean): Generator<string> {
  const texts = columns.map(({ title }) => title);
  const titles = drawRow(columns, texts);
  yield colors ? `${bold(titles.trimEnd())}\n` : titles;
  yield `${columns.map(({ width }) => "-".repeat(width)).join(BLANKS)}\n`;
  const count = columns[0]?.cells.length ?? 0;
  for (let index = 0; index < count; index++) {
    const row = columns.map(({ cells }) => cells[index] ?? "");
    yield padRow(columns, row) ?? drawRow(columns, row);
  }
}

/**
 * Draws a row of plain cells that fit, with the same result as `drawRow`, but without the 40 µs of cli-table3. Undefined for any
 * other row.
 */
export function padRow(columns: readonly LaidColumn[], row: readonly string[]): string | undefined {
  let line = "";
  for (const [index, text] of row.entries()) {
    const { width, align } = columns[index] as LaidColumn;
    const length = measurePlain(text);
    if (length === undefined || length > width) return undefined;
    const padding = " ".repeat(width - length);
    line += `${index === 0 ? "" : BLANKS}${align === "right" ? padding + text : text + padding}`;
  }
  return `${line.trimEnd()}\n`;
}

/** Draws a row with cli-table3, without borders; texts that are too long wrap. */
export function drawRow(columns: readonly LaidColumn[], row: readonly string[]): string {
  const table = new CliTable({
    chars: NO_BORDERS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ align }) => align),
  });
  table.push(row.map((content, index) => (measureCells(content) > (columns[index]?.width ?? 0) ? { content, wordWrap: true } : content)));
  const lines = table.toString().split("\n");
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** Draws rows that do not fit in a line: one line of name and value per cell, with an empty line between rows. */
export function* drawRecords(columns: readonly TextColumn[], skippedAt: number | undefined, width: number): Generator<string> {
  const count = columns[0]?.cells.length ?? 0;
  for (let row = 0; row < count; row++) {
    if (row > 0) yield "\n";
    const terms = columns.map((column) => [nameWithUnit(column), column.cells[row] ?? ""] as const);
    const lines = row === skippedAt ? terms.slice(0, 1).map(([, dots]) => dots) : formatTerms(terms, { width, measure: measureCells });
    for (const line of lines) yield `${line}\n`;
  }
}

export interface LaidColumn {
  /** Has a line break if the unit is below the name. */
  readonly title: string;
  readonly cells: readonly string[];
  readonly width: number;
  readonly align: "left" | "right";
  /** True if its texts may take several lines. */
  readonly wraps: boolean;
}

interface FittedColumns {
  readonly columns: readonly LaidColumn[];
  readonly hidden: readonly string[];
}

/** Minimum width of wrapped text, unless nothing else fits. */
const COMFORTABLE_WIDTH = 24;

/**
 * Returns the first layout that fits: one-line titles; titles with the unit below the name; wrapped texts; then without the
 * columns that may be dropped, one after another. Undefined if none fits.
 */
export function fitColumns(columns: readonly TextColumn[], width: number, mayDrop: () => readonly number[]): FittedColumns | undefined {
  const isFitting = (laid: readonly LaidColumn[]) => measure(laid) <= width;
  const plain = columns.map((column) => layColumn(column, " "));
  if (isFitting(plain)) return { columns: plain, hidden: [] };
  const broken = columns.map((column) => layColumn(column, "\n"));
  if (isFitting(broken)) return { columns: broken, hidden: [] };
  const dropped = new Set<number | undefined>();
  for (const index of [undefined, ...mayDrop()]) {
    dropped.add(index);
    const kept = broken.filter((_, at) => !dropped.has(columns[at]?.index));
    const laid = wrapTexts(kept, width);
    if (isFitting(laid)) return { columns: laid, hidden: columns.filter((column) => dropped.has(column.index)).map(({ name }) => name) };
  }
  return undefined;
}

function layColumn({ name, unit, kind, cells }: TextColumn, beforeUnit: " " | "\n"): LaidColumn {
  const title = nameWithUnit({ name, unit }, beforeUnit);
  const width = Math.max(measureTexts(title.split("\n")), measureTexts(cells));
  return { title, cells, width, align: kind === "value" ? "right" : "left", wraps: kind === "text" };
}

function nameWithUnit({ name, unit }: Pick<TextColumn, "name" | "unit">, between = " "): string {
  return unit === "" ? name : `${name}${between}(${unit})`;
}

/** Wraps the widest text column and, if that makes it too narrow, the others too. */
function wrapTexts(columns: readonly LaidColumn[], width: number): readonly LaidColumn[] {
  const wrapping = columns.filter(({ wraps, cells }) => wraps && cells.some((text) => text.includes(" ")));
  const [widest] = wrapping.toSorted((a, b) => b.width - a.width);
  if (!widest) return columns;
  const narrowed = columns.map((column) =>
    column !== widest && wrapping.includes(column) ? { ...column, width: measureWords(column) } : column,
  );
  for (const [others, least] of [
    [columns, Math.max(COMFORTABLE_WIDTH, measureWords(widest))],
    [narrowed, measureWords(widest)],
  ] as const) {
    const left = width - measure(others) + widest.width;
    if (left >= least) return others.map((column) => (column === widest ? { ...widest, width: left } : column));
  }
  return columns;
}

function measure(columns: readonly LaidColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1));
}

function measureWords({ title, cells }: LaidColumn): number {
  return measureTexts([title, ...cells].flatMap((text) => text.split(/\s+/)));
}

function measureTexts(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, measureCells(text)), 0);
}
