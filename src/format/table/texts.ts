/** The rows that a table shows, as texts. */
import { isLosslessNumber } from "../../base/json.ts";
import { escapeControls, red } from "../../base/terminal.ts";
import type { Cell, Column } from "../../series/layout/layout.ts";
import { toPlainText } from "../cells.ts";
import { createValuePrinter } from "./numbers.ts";
import type { ShownRow, TableRows } from "./rows.ts";
import { createMomentPrinter, WallClockTime } from "./stamps.ts";

/** A column as it is shown. */
export interface TextColumn {
  /** Its place in the columns of the rows. */
  readonly index: number;
  readonly kind: Column["kind"];
  readonly name: string;
  /** Empty without one. */
  readonly unit: string;
  /** From the first row that is shown to the last, with `...` for those between. */
  readonly cells: readonly string[];
}

export interface Excerpt {
  readonly columns: readonly TextColumn[];
  /** How many rows are shown. */
  readonly shown: number;
  /** The index of the row that stands for those between; undefined if all are shown. */
  readonly skippedAt: number | undefined;
  /** The timestamps of the first row and the last, shown or not. */
  readonly window: readonly string[];
}

const SKIPPED = "...";

/** `limit`: rows, split between the first and the last; 0 is all. */
export function takeExcerpt(rows: TableRows, { limit, colors }: { readonly limit: number; readonly colors: boolean }): Excerpt {
  const isCut = limit > 0 && limit < rows.count;
  const first = rows.first(isCut ? Math.ceil(limit / 2) : rows.count);
  const last = isCut ? rows.last(Math.floor(limit / 2)) : [];
  const hasWindow = rows.columns[0]?.kind === "stamp" && rows.count > 0;
  const firstAndLast = hasWindow ? [first, rows.last(1)].map(([row]) => row?.[0] ?? null) : [];
  const shown = isCut ? [...first, ...last] : first;
  const printStamp = createStampPrinter(shown, { firstAndLast, rows });
  const columns = rows.columns.map((column, index): TextColumn => {
    const print = createPrinter(column, { cells: pickCells(shown, index), printStamp, colors });
    const toTexts = (some: readonly ShownRow[]) => some.map((row) => print(row[index] ?? null));
    const cells = isCut ? [...toTexts(first), SKIPPED, ...toTexts(last)] : toTexts(first);
    return {
      index,
      kind: column.isNumber ? "value" : column.kind,
      name: escapeControls(column.name),
      unit: escapeControls(column.unit ?? ""),
      cells,
    };
  });
  return { columns, shown: shown.length, skippedAt: isCut ? first.length : undefined, window: [...new Set(firstAndLast.map(printStamp))] };
}

type PrintCell = (cell: Cell | WallClockTime) => string;

function createStampPrinter(shown: readonly ShownRow[], { firstAndLast, rows }: { firstAndLast: ShownRow; rows: TableRows }): PrintCell {
  const stamps = rows.columns.filter(({ kind }) => kind === "stamp").length;
  const moments = new Set<WallClockTime>();
  const add = (cell: Cell | WallClockTime | undefined) => cell instanceof WallClockTime && moments.add(cell);
  firstAndLast.forEach(add);
  for (const row of shown) for (let index = 0; index < stamps; index++) add(row[index]);
  const print = createMomentPrinter([...moments], rows.interval);
  return (cell) => (cell instanceof WallClockTime ? print(cell) : printText(cell));
}

/** The cells of a column of values. */
function* pickCells(rows: readonly ShownRow[], index: number): Generator<Cell> {
  for (const row of rows) yield row[index] as Cell;
}

interface Printing {
  readonly cells: Iterable<Cell>;
  readonly printStamp: PrintCell;
  readonly colors: boolean;
}

function createPrinter({ kind, isNumber }: Column, { cells, printStamp, colors }: Printing): PrintCell {
  if (isNumber) return createNumberPrinter(cells);
  if (kind !== "value") return printStamp;
  const print = createValuePrinter(cells);
  return (cell) => {
    const text = print(cell as Cell);
    return colors && /^-\d/.test(text) ? red(text) : text;
  };
}

function createNumberPrinter(cells: Iterable<Cell>): PrintCell {
  const toValue = (cell: Cell | WallClockTime) => (isLosslessNumber(cell) ? cell.value : null);
  const print = createValuePrinter(Array.from(cells, toValue));
  return (cell) => print(toValue(cell));
}

export function printText(cell: Cell): string {
  return escapeControls(toPlainText(cell, "text"));
}
