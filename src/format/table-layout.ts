import stringWidth from "string-width";
import type { Column } from "../series/layout/table.ts";
import { escapeControls } from "../base/terminal.ts";

export interface LaidColumn {
  /** The index of its cells in a row. */
  readonly index: number;
  readonly title: string;
  readonly width: number;
  readonly align: "left" | "right";
}

export interface Layout {
  readonly columns: readonly LaidColumn[];
  /** Titles of the columns that do not fit. */
  readonly hidden: readonly string[];
}

/** Spaces between two columns. */
export const GAP = 2;
const MIN_TEXT_WIDTH = 4;

/**
 * Computes column widths. If a line exceeds `maxWidth`, hides value columns from the right (all but one), then truncates
 * text, the widest first; never timestamps or numbers.
 */
export function fitColumns(columns: readonly Column[], rows: readonly (readonly string[])[], maxWidth: number | undefined): Layout {
  const laid = columns.map((column, index) => layColumn(column, index, rows));
  const values = laid.filter(({ index }) => columns[index]?.kind === "value");
  const hidden: LaidColumn[] = [];
  while (maxWidth !== undefined && measure(laid) > maxWidth && values.length > 1) {
    const dropped = values.pop() as LaidColumn;
    laid.splice(laid.indexOf(dropped), 1);
    hidden.unshift(dropped);
  }
  const isText = ({ index }: LaidColumn) => columns[index]?.kind === "text";
  return { columns: maxWidth === undefined ? laid : truncateTexts(laid, maxWidth, isText), hidden: hidden.map(({ title }) => title) };
}

function layColumn({ name, kind, unit }: Column, index: number, rows: readonly (readonly string[])[]): LaidColumn {
  const title = escapeControls(unit ? `${name} (${unit})` : name);
  const width = rows.reduce((widest, row) => Math.max(widest, measureText(row[index] ?? "")), stringWidth(title));
  return { index, title, width, align: kind === "value" ? "right" : "left" };
}

/** ASCII text, nearly all of it, needs no `stringWidth`, which is slow. */
function measureText(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

function truncateTexts(laid: readonly LaidColumn[], maxWidth: number, isText: (column: LaidColumn) => boolean): LaidColumn[] {
  const cut = [...laid];
  for (let excess = measure(cut) - maxWidth; excess > 0; excess--) {
    const texts = cut.filter((column) => isText(column) && column.width > MIN_TEXT_WIDTH);
    const widest = texts.reduce<LaidColumn | undefined>((a, b) => (a && a.width >= b.width ? a : b), undefined);
    if (!widest) break;
    cut[cut.indexOf(widest)] = { ...widest, width: widest.width - 1 };
  }
  return cut;
}

/** The width of a line. */
export function measure(columns: readonly LaidColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1));
}
