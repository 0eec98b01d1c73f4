/** Fits columns to a width, without cutting names or numbers. */
import { type GridColumn, measureWidest, measureWords, nameWithUnit } from "./grid.ts";

/** Spaces between two columns. */
export const GAP = 2;
/** Minimum width of wrapped text, unless nothing else fits. */
const COMFORTABLE_WIDTH = 24;

export interface Fit {
  /** The columns that are shown, by their index. */
  readonly shown: readonly number[];
  /** True if units are on a line below the names. */
  readonly isBroken: boolean;
}

/**
 * Returns the first layout in which the widest texts fit: one-line titles; titles with the unit below the name; wrapped
 * texts; then without the columns that may be dropped, one after another. Undefined if none fits.
 */
export function fitColumns(
  columns: readonly GridColumn[],
  width: number,
  listMinor: () => readonly number[],
): Fit | undefined {
  const all = [...columns.keys()];
  if (fits(columns, { shown: all, isBroken: false, width })) return { shown: all, isBroken: false };
  const dropped = new Set<number>();
  const measured = columns.map((column) => measureColumn(column, true));
  for (const index of [undefined, ...listMinor()]) {
    if (index !== undefined) dropped.add(index);
    const shown = all.filter((at) => !dropped.has(at));
    if (sumWidths(wrapWidths(pickAt(measured, shown), width)) <= width) return { shown, isBroken: true };
  }
  return undefined;
}

/** True if the widest texts of these columns fit without being wrapped. */
export function fits(
  columns: readonly GridColumn[],
  { shown, isBroken, width }: Fit & { readonly width: number },
): boolean {
  return sumWidths(pickAt(columns, shown).map((column) => measureColumn(column, isBroken).width)) <= width;
}

export function pickAt<T>(items: readonly T[], indexes: readonly number[]): T[] {
  return indexes.map((index) => items[index] as T);
}

interface Measured {
  readonly width: number;
  /** The width to which it can be wrapped; undefined if it cannot. */
  readonly narrowest: number | undefined;
}

function measureColumn(column: GridColumn, isBroken: boolean): Measured {
  const { widest, widestWord } = column;
  const title = titleOf(column, isBroken);
  const narrowest =
    widestWord === undefined || widestWord === widest ? undefined : Math.max(widestWord, measureWords([title]));
  return { width: Math.max(widest, measureWidest(title.split("\n"))), narrowest };
}

export function titleOf(column: GridColumn, isBroken: boolean): string {
  return nameWithUnit(column, isBroken ? "\n" : " ");
}

/**
 * Wraps the widest text column and, if that makes it too narrow, the others too. Returns the widths, unchanged if
 * nothing helps.
 */
export function wrapWidths(columns: readonly Measured[], room: number): number[] {
  const widths = columns.map(({ width }) => width);
  const wrapping = [...columns.keys()].filter((at) => columns[at]?.narrowest !== undefined);
  const [widest] = wrapping.toSorted((a, b) => (widths[b] as number) - (widths[a] as number));
  const least = columns[widest ?? -1]?.narrowest;
  if (widest === undefined || least === undefined || sumWidths(widths) <= room) return widths;
  const narrowed = columns.map(({ width, narrowest = width }, at) => (at === widest ? width : narrowest));
  for (const [others, min] of [
    [widths, Math.max(COMFORTABLE_WIDTH, least)],
    [narrowed, least],
  ] as const) {
    const left = room - sumWidths(others) + (widths[widest] as number);
    if (left >= min) return others.with(widest, left);
  }
  return widths;
}

export function sumWidths(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));
}
