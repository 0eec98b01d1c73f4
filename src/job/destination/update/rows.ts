/** The rows of a part of a file, by instant, and the values in them. */
import type { FileHandle } from "node:fs/promises";
import { EntsError } from "../../../base/errors.ts";
import type { StampReader } from "../../../time/stamp-reader.ts";
import type { Grid } from "./grid.ts";
import { type Line, MAX_LINE_BYTES, type Range, readLines } from "./read-lines.ts";
import type { TextForm } from "./text-form.ts";

/** How the rows of a file are read. */
export interface RowReading {
  /** For messages. */
  readonly name: string;
  readonly file: FileHandle;
  readonly form: TextForm;
  readonly grid: Grid;
  readonly readStamp: StampReader;
}

/** All rows of an instant. */
export interface Group {
  readonly instant: number;
  readonly stamp: string;
  readonly rows: Line[];
}

/** A value in a file. */
export interface Point {
  readonly network: string;
  readonly metric: string;
  readonly unit: string;
  /** The labels of the row, and the pivot's. */
  readonly labels: readonly (readonly [name: string, cell: string])[];
  readonly pivoted: string | undefined;
  readonly value: string;
}

/** Block by block; a row is several lines where a cell has line feeds. @throws {EntsError} output: a row without an end. */
export async function* readRows({ file, form, name }: Pick<RowReading, "file" | "form" | "name">, range: Range): AsyncGenerator<Line[]> {
  let open: Line | undefined;
  for await (const lines of readLines(file, range)) {
    const rows: Line[] = [];
    for (const line of lines) {
      const row: Line = open ? { start: open.start, text: `${open.text}\n${line.text}` } : line;
      open = form.isOpen(line.text) === (open === undefined) ? row : undefined;
      if (!open) rows.push(row);
      else if (row.text.length > MAX_LINE_BYTES) throw unreadable(name, `the row at byte ${row.start}`);
    }
    yield rows;
  }
  if (open) throw unreadable(name, `the row at byte ${open.start}`);
}

/** The cells of a row. @throws {EntsError} output: it is not a row. */
export function splitRow({ form, grid, name }: Omit<RowReading, "file">, { start, text }: Line): readonly string[] {
  const cells = isClean(text) ? form.split(text, grid.names) : undefined;
  if (!cells) throw unreadable(name, `the row at byte ${start}`);
  return cells;
}

/** ents writes these only in a cell with quotes. */
function isClean(line: string): boolean {
  return !line.endsWith("\r") && !line.includes("\0");
}

export function unreadable(name: string, what: string): EntsError {
  return new EntsError("output", `cannot update ${name}: ${what} is not in the form that ents writes`, {
    hint: "the existing file is unchanged; move it away to fetch all of it again",
  });
}

/** @throws {EntsError} output: a timestamp that cannot be read, or is out of order. */
export async function* readGroups(reading: RowReading, range: Range): AsyncGenerator<Group> {
  const { form, readStamp, name } = reading;
  let group: Group | undefined;
  let last = "";
  for await (const rows of readRows(reading, range)) {
    for (const row of rows) {
      const cell = form.first(row.text);
      if (cell === undefined) throw unreadable(name, `the row at byte ${row.start}`);
      if (!group || cell !== last) {
        const stamp = form.read(cell) ?? "";
        const instant = readStamp(stamp, group?.instant);
        if (instant === undefined || instant < (group?.instant ?? instant)) throw unreadable(name, `the timestamp "${stamp}"`);
        last = cell;
        // The same instant may be written in several ways.
        if (group?.instant !== instant) {
          if (group) yield group;
          group = { instant, stamp, rows: [] };
        }
      }
      group.rows.push(row);
    }
  }
  if (group) yield group;
}

/** How many values of a row are not null. */
export function countValues(cells: readonly string[], { form, grid }: Pick<RowReading, "form" | "grid">): number {
  return grid.values.reduce((count, { at }) => (cells[at] === form.nullCell ? count : count + 1), 0);
}

/** The values of a row that are not null. */
export function listPoints(cells: readonly string[], { form, grid }: Pick<RowReading, "form" | "grid">): Point[] {
  const read = (cell: string | undefined) => form.read(cell ?? "") ?? "";
  const labels = grid.labels.flatMap(({ name, at }): (readonly [string, string])[] => {
    const cell = cells[at] as string;
    return cell === form.nullCell ? [] : [[name, cell]];
  });
  const network = read(cells[grid.network]);
  const unit = grid.unit === undefined ? "" : read(cells[grid.unit]);
  return grid.values.flatMap(({ at, metric, pivoted }): Point[] => {
    const value = form.read(cells[at] as string);
    const own = metric ?? read(cells[grid.metric ?? -1]);
    return value === null ? [] : [{ network, metric: own, unit, labels, pivoted, value }];
  });
}

/** Identifies a point in any file: all but its value. */
export function keyOfPoint({ network, metric, labels, pivoted }: Point): string {
  return JSON.stringify([network, metric, pivoted, ...labels]);
}
