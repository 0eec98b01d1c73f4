import type { Cell, ColumnKind, Table } from "../series/layout/layout.ts";
import { type Json, type JsonObject, parseJson, toJsonText } from "../base/json.ts";

/** A cell as text: JSON strings without quotes, booleans as words, null as an empty string. */
export function toPlainText(cell: Cell, kind: ColumnKind): string {
  if (cell === null) return "";
  const value = kind === "value" && typeof cell === "string" && cell.startsWith('"') ? parseJson(cell) : cell;
  return typeof value === "string" ? value : toJsonText(value);
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
