/** Converts the cells of rows for the formats. */
import { type Json, type JsonObject, parseJson, toJsonText } from "../base/json.ts";
import { escapeControls } from "../base/terminal.ts";
import { findEdges } from "../series/intervals/grid.ts";
import { type Cell, type ColumnKind, countTimes, type Table } from "../series/layout/layout.ts";
import { cacheTimes, type TimedRow } from "../series/layout/rows.ts";
import { findSentOffset } from "../time/timestamp.ts";
import type { Header } from "./format.ts";

/** A cell as text: JSON strings without quotes, booleans as words, null as an empty string. */
export function toPlainText(cell: Cell, kind: ColumnKind): string {
  if (cell === null) return "";
  const value = kind === "value" && typeof cell === "string" && cell.startsWith('"') ? parseJson(cell) : cell;
  return typeof value === "string" ? value : toJsonText(value);
}

/** A cell of a text column, for a terminal. */
export function printText(cell: Cell): string {
  return escapeControls(toPlainText(cell, "text"));
}

/** Rows as JSON objects with one field per column. */
export function toRecords({ columns, rows }: Table): JsonObject[] {
  return Array.from(rows, (row) =>
    Object.fromEntries(columns.map(({ name, kind }, index) => [name, toJsonCell(row[index] ?? null, kind)])),
  );
}

function toJsonCell(cell: Cell, kind: ColumnKind): Json {
  return kind === "value" && typeof cell === "string" ? parseJson(cell) : cell;
}

type MakeTime<T> = (instant: number, wallClock: number, row: TimedRow) => T;

/**
 * Creates a reader of a row's timestamp and, if there are columns for them, the edges of its interval: `unknown` if
 * they are unknown.
 */
export function createTimeReader<T>(
  { columns, zone }: Pick<Header, "columns" | "zone">,
  make: MakeTime<T>,
  unknown: T,
): (row: TimedRow) => T[] {
  const edges = countTimes(columns) - 1;
  return cacheTimes((row): T[] => {
    const { instant, timestamp, networkOffset } = row;
    const makeAt = (time: number) =>
      make(time, zone.toWallClock(time, networkOffset ?? findSentOffset(timestamp)), row);
    return [
      makeAt(instant),
      ...findEdges(instant, row, edges).map((edge) => (edge === undefined ? unknown : makeAt(edge))),
    ];
  });
}
