/** Fits columns to a width, without cutting a name or a number. */
import { withoutRed } from "../../base/terminal.ts";
import type { TextColumn } from "./texts.ts";
import { measureCells } from "../text-width.ts";

export interface LaidColumn {
  /** With a line break where name and unit stand one under the other. */
  readonly title: string;
  readonly cells: readonly string[];
  readonly width: number;
  readonly align: "left" | "right";
  /** Whether its texts may take several lines. */
  readonly wraps: boolean;
}

export interface FittedColumns {
  readonly columns: readonly LaidColumn[];
  /** Names of the columns that do not fit. */
  readonly hidden: readonly string[];
}

/** Spaces between two columns. */
export const GAP = 2;
/** Text does not wrap in less, unless nothing else fits. */
const COMFORTABLE_WIDTH = 24;

/**
 * The first that fits of: titles in one line; in two, the unit under the name; texts that wrap; without one after another
 * of the columns that may be dropped. Undefined where none does.
 */
export function fitColumns(columns: readonly TextColumn[], width: number, mayDrop: () => readonly number[]): FittedColumns | undefined {
  const isFitting = (laid: readonly LaidColumn[]) => measure(laid) <= width;
  const plain = columns.map((column) => layColumn(column, " "));
  if (isFitting(plain)) return { columns: plain, hidden: [] };
  const broken = columns.map((column) => layColumn(column, "\n"));
  if (isFitting(broken)) return { columns: broken, hidden: [] };
  const isDropped = columns.map(() => false);
  for (const index of [undefined, ...mayDrop()]) {
    const dropped = columns.findIndex((column) => column.index === index);
    if (dropped >= 0) isDropped[dropped] = true;
    const laid = wrapTexts(
      broken.filter((_, at) => !isDropped[at]),
      width,
    );
    if (isFitting(laid)) return { columns: laid, hidden: columns.flatMap(({ name }, at) => (isDropped[at] ? [name] : [])) };
  }
  return undefined;
}

function layColumn({ name, unit, kind, cells }: TextColumn, beforeUnit: " " | "\n"): LaidColumn {
  const title = nameWithUnit({ name, unit }, beforeUnit);
  const width = Math.max(measureTexts(title.split("\n")), measureTexts(cells));
  return { title, cells, width, align: kind === "value" ? "right" : "left", wraps: kind === "text" };
}

export function nameWithUnit({ name, unit }: Pick<TextColumn, "name" | "unit">, between = " "): string {
  return unit === "" ? name : `${name}${between}(${unit})`;
}

/** Lets the widest column of texts wrap, and if that leaves it too narrow, the others too. */
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

/** The width of a line. */
function measure(columns: readonly LaidColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1));
}

/** The longest word. */
function measureWords({ title, cells }: LaidColumn): number {
  return measureTexts([title, ...cells].flatMap((text) => text.split(/\s+/)));
}

function measureTexts(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, measureText(text)), 0);
}

/** Text whose length is its width. */
const PLAIN = /^[\x20-\x7e]*$/;

export function measureText(text: string): number {
  return measurePlain(text) ?? measureCells(text);
}

/** The width of ASCII text, nearly all of it, for which `measureCells` is slow; undefined for any other. */
export function measurePlain(text: string): number | undefined {
  const bare = withoutRed(text);
  return PLAIN.test(bare) ? bare.length : undefined;
}
