/** The shown rows of a table, as texts. */
import { escapeControls, red } from "../../base/terminal.ts";
import type { Cell, Column } from "../../series/layout/layout.ts";
import { printText } from "../cells.ts";
import { createValuePrinter } from "./numbers.ts";
import type { ShownRow, TableRows } from "./rows.ts";
import { createMomentPrinter, WallClockTime } from "./stamps.ts";

export interface TextColumn {
  /** Index among the columns of the rows. */
  readonly index: number;
  readonly kind: Column["kind"];
  readonly name: string;
  readonly unit: string;
  /** From the first shown row to the last, with `...` for the rows between. */
  readonly cells: readonly string[];
}

export interface Excerpt {
  readonly columns: readonly TextColumn[];
  readonly shown: number;
  /** Index of the row of `...`; undefined if all rows are shown. */
  readonly skippedAt: number | undefined;
  /** The timestamps of the table's first and last row, shown or not. */
  readonly window: readonly string[];
}

/** `limit`: number of rows, split between the first and the last; 0 for all. */
export function takeExcerpt(rows: TableRows, limit: number, colors: boolean): Excerpt {
  const isCut = limit > 0 && limit < rows.count;
  const first = rows.first(isCut ? Math.ceil(limit / 2) : rows.count);
  const shown = isCut ? [...first, ...rows.last(Math.floor(limit / 2))] : first;
  const skippedAt = isCut ? first.length : undefined;
  const hasWindow = rows.columns[0]?.kind === "stamp" && rows.count > 0;
  const firstAndLast = hasWindow ? [first, rows.last(1)].map(([row]) => row?.[0] ?? null) : [];
  const stamps = rows.columns.filter(({ kind }) => kind === "stamp").length;
  const printStamp = createStampPrinter([...firstAndLast, ...shown.flatMap((row) => row.slice(0, stamps))], rows);
  const columns = rows.columns.map((column, index): TextColumn => {
    const cells = shown.map((row) => row[index] ?? null);
    const texts = cells.map(createPrinter(column, cells, { printStamp, colors }));
    return {
      index,
      kind: column.isNumber ? "value" : column.kind,
      name: escapeControls(column.name),
      unit: escapeControls(column.unit ?? ""),
      cells: isCut ? texts.toSpliced(first.length, 0, "...") : texts,
    };
  });
  return { columns, shown: shown.length, skippedAt, window: [...new Set(firstAndLast.map(printStamp))] };
}

type ShownCell = ShownRow[number];
type PrintCell = (cell: ShownCell) => string;

function createStampPrinter(cells: readonly ShownCell[], { interval }: TableRows): PrintCell {
  const moments = new Set(cells.filter((cell) => cell instanceof WallClockTime));
  const print = createMomentPrinter([...moments], interval);
  return (cell) => (cell instanceof WallClockTime ? print(cell) : printText(cell));
}

interface Printing {
  readonly printStamp: PrintCell;
  readonly colors: boolean;
}

function createPrinter({ kind, isNumber }: Column, cells: readonly ShownCell[], { printStamp, colors }: Printing): PrintCell {
  if (kind !== "value" && !isNumber) return printStamp;
  const print = createValuePrinter(cells as readonly Cell[]);
  return (cell) => {
    const text = print(cell as Cell);
    return colors && kind === "value" && /^-\d/.test(text) ? red(text) : text;
  };
}
