import stringWidth from "string-width";
import type { Column } from "../series/layout/table.ts";
import { escapeControls } from "../base/terminal.ts";

export interface LaidColumn {
  /** Where its cells stand in a row. */
  readonly index: number;
  readonly title: string;
  readonly width: number;
  readonly align: "left" | "right";
}

export interface Layout {
  readonly columns: readonly LaidColumn[];
  /** Titles of the columns for which there was no room. */
  readonly hidden: readonly string[];
}

/** Cells between two columns. */
export const GAP = 2;
const LEAST_TEXT_WIDTH = 4;

/**
 * Gives columns their widths. Where a line has no room for all, value columns are left out from the right
 * (one stays), then text is cut, the widest first; timestamps and numbers are never cut.
 */
export function fitColumns(columns: readonly Column[], rows: readonly (readonly string[])[], room: number | undefined): Layout {
  const laid = columns.map((column, index) => layColumn(column, index, rows));
  const values = laid.filter(({ index }) => columns[index]?.kind === "value");
  const hidden: LaidColumn[] = [];
  while (room !== undefined && measure(laid) > room && values.length > 1) {
    const dropped = values.pop() as LaidColumn;
    laid.splice(laid.indexOf(dropped), 1);
    hidden.unshift(dropped);
  }
  const isText = ({ index }: LaidColumn) => columns[index]?.kind === "text";
  return { columns: room === undefined ? laid : cutTexts(laid, room, isText), hidden: hidden.map(({ title }) => title) };
}

function layColumn({ name, kind, unit }: Column, index: number, rows: readonly (readonly string[])[]): LaidColumn {
  const title = escapeControls(unit ? `${name} (${unit})` : name);
  const width = rows.reduce((widest, row) => Math.max(widest, measureText(row[index] ?? "")), stringWidth(title));
  return { index, title, width, align: kind === "value" ? "right" : "left" };
}

/** Plain text, which is nearly all, is as wide as long. */
function measureText(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

function cutTexts(laid: readonly LaidColumn[], room: number, isText: (column: LaidColumn) => boolean): LaidColumn[] {
  const cut = [...laid];
  for (let excess = measure(cut) - room; excess > 0; excess--) {
    const texts = cut.filter((column) => isText(column) && column.width > LEAST_TEXT_WIDTH);
    const widest = texts.reduce<LaidColumn | undefined>((a, b) => (a && a.width >= b.width ? a : b), undefined);
    if (!widest) break;
    cut[cut.indexOf(widest)] = { ...widest, width: widest.width - 1 };
  }
  return cut;
}

function measure(columns: readonly LaidColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1));
}
