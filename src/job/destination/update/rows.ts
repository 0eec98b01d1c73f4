/** The rows of a part of a file, by instant, and the values in them. */
import type { FileHandle } from "node:fs/promises";
import { EntsError } from "../../../base/errors.ts";
import type { StampReader } from "../../../time/zones.ts";
import type { Grid } from "./grid.ts";
import { type Range, readLines } from "./read-lines.ts";
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
  /** As they stand in the file. */
  readonly lines: string[];
  readonly rows: (readonly string[])[];
}

/** A value in a file. */
export interface Point {
  readonly network: string;
  readonly metric: string;
  readonly unit: string;
  /** Those that the row has, and the pivot's. */
  readonly labels: readonly (readonly [name: string, cell: string])[];
  readonly pivoted: string | undefined;
  readonly value: string;
}

/** @throws {EntsError} output: a line that is no row. */
export async function* readRows(
  reading: RowReading,
  range: Range,
): AsyncGenerator<{ readonly line: string; readonly cells: readonly string[] }[]> {
  const { file, form, grid, name } = reading;
  let open: string[] = [];
  for await (const lines of readLines(file, range)) {
    const rows: { line: string; cells: readonly string[] }[] = [];
    for (const { start, text } of lines) {
      const isOpen = form.isOpen(text) !== open.length > 0;
      open.push(text);
      if (isOpen) continue;
      const line = open.length === 1 ? text : open.join("\n");
      open = [];
      const cells = isClean(line) ? form.split(line, grid.names) : undefined;
      if (!cells) throw unreadable(name, `the row at byte ${start}`);
      rows.push({ line, cells });
    }
    yield rows;
  }
  if (open.length > 0) throw unreadable(name, `the row of "${open[0]?.slice(0, 40)}"`);
}

/** ents writes neither, but in a cell with quotes. */
function isClean(line: string): boolean {
  return !line.endsWith("\r") && !line.includes("\0");
}

export function unreadable(name: string, what: string): EntsError {
  return new EntsError("output", `cannot update ${name}: ${what} is not as ents writes it`, {
    hint: "the existing file is unchanged; move it away to fetch all of it again",
  });
}

/** @throws {EntsError} output: a line that is no row, or a timestamp that cannot be read or is before the one before. */
export async function* readGroups(reading: RowReading, range: Range): AsyncGenerator<Group> {
  const { form, readStamp, name } = reading;
  let group: Group | undefined;
  let last = "";
  for await (const rows of readRows(reading, range)) {
    for (const { line, cells } of rows) {
      const cell = cells[0] as string;
      if (!group || cell !== last) {
        const stamp = form.read(cell) ?? "";
        const instant = readStamp(stamp, group?.instant);
        if (instant === undefined || instant < (group?.instant ?? instant)) throw unreadable(name, `the timestamp "${stamp}"`);
        last = cell;
        // One instant may be written in several ways.
        if (group?.instant !== instant) {
          if (group) yield group;
          group = { instant, stamp, lines: [], rows: [] };
        }
      }
      group.lines.push(line);
      group.rows.push(cells);
    }
  }
  if (group) yield group;
}

/** The values of rows that are not null. */
export function listPoints(rows: readonly (readonly string[])[], { form, grid }: Pick<RowReading, "form" | "grid">): Point[] {
  const read = (cell: string | undefined) => form.read(cell ?? "") ?? "";
  return rows.flatMap((cells) => {
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
  });
}

/** The same of a point in whatever file: not its value. */
export function keyOfPoint({ network, metric, labels, pivoted }: Point): string {
  return JSON.stringify([network, metric, pivoted, ...labels]);
}
