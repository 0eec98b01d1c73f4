/** A table before its rows are chosen. */
import { measureCells } from "../text-width.ts";

export interface Grid {
  readonly columns: readonly GridColumn[];
  /** Tables with the same columns, one below the other, each with its title if there are several. */
  readonly sections: readonly Section[];
  /** A line above the headings. */
  readonly title?: string | undefined;
  /** Columns that a narrow screen may leave out, in this order. */
  readonly listMinor: () => readonly number[];
  /** What the lines below the table say if so many rows of each section are shown. */
  readonly describe: (shown: readonly number[]) => Footer;
}

export interface GridColumn {
  readonly name: string;
  readonly unit: string;
  readonly align: "left" | "right";
  /** Terminal cells of the widest text and, for a column that may wrap, of the widest word in any row. */
  readonly widest: number;
  readonly widestWord?: number | undefined;
}

export interface Section {
  readonly title: string;
  /** Of its rows. */
  readonly count: number;
  /** `limit`: maximum number of rows; 0 for all. `nameAt`: the column that names the row of those left out. */
  take(limit: number, nameAt: number): Excerpt;
}

export interface Excerpt {
  /** A text for each column of the grid. */
  readonly rows: readonly (readonly string[])[];
  /** The index of the row that stands for those left out. */
  readonly gapAt?: number | undefined;
  /** The index of the row of totals. */
  readonly totalAt?: number | undefined;
}

/** What the lines below a table say. */
export interface Footer {
  /** Each begins a line, and wraps between its items. */
  readonly groups: readonly (readonly string[])[];
  /** Items that are added where they take no further line. */
  readonly optional: readonly string[];
  /** The same, if the height of the screen decides the number of rows. */
  readonly hints: readonly string[];
  /** Each on lines of its own. */
  readonly remarks: readonly Remark[];
}

/** What is said of intervals that are not complete. */
export interface Remark {
  readonly text: string;
  /** True if it explains a mark, and is said only where one is shown. */
  readonly isOfMark: boolean;
  /** The instants of the marked intervals. */
  readonly instants: readonly number[];
}

/** The text for rows left out. */
export const DOTS = "...";
/** After the name of an interval that is not complete. */
export const MARK = "*";

/** Puts a title over the only column without values, if that takes no room, or else above the headings. */
export function placeTitle(
  columns: readonly GridColumn[],
  title: string,
  shown = [...columns.keys()],
): Pick<Grid, "columns" | "title"> {
  const [first, ...others] = columns;
  const isOnly = others.every(({ align }, at) => align === "right" || !shown.includes(at + 1));
  if (!first || !isOnly || measureCells(title) > first.widest) return { columns, title };
  return { columns: [{ ...first, name: title }, ...others] };
}

export function nameWithUnit({ name, unit }: Pick<GridColumn, "name" | "unit">, between = " "): string {
  return unit === "" ? name : `${name}${between}(${unit})`;
}

export function measureWidest(texts: Iterable<string>): number {
  let widest = 0;
  for (const text of texts) widest = Math.max(widest, measureCells(text));
  return widest;
}

export function measureWords(texts: Iterable<string>): number {
  let widest = 0;
  for (const text of texts) widest = Math.max(widest, measureWidest(text.split(/\s+/)));
  return widest;
}
