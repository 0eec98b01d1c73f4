/** csv and tsv: one header line, one line a row, `\n` after each. */
import { stringify } from "csv-stringify/sync";
import type { Cell, Column, Row } from "../rows/table.ts";
import { isLosslessNumber } from "../series/json.ts";
import { escapeControls } from "../terminal.ts";
import { toPlainText } from "./cells.ts";
import { type Format, type FormatOptions, joinChunks, type RowEncoder } from "./format.ts";

export const csv: Format = createFormat(",", "csv");
export const tsv: Format = createFormat("\t", "tsv");

function createFormat(delimiter: string, ending: string): Format {
  return {
    takes: "rows",
    shape: "long",
    streams: true,
    endings: [ending],
    heeds: ["shape", "header"],
    open: (columns, options) => openEncoder(columns, delimiter, options),
  };
}

function openEncoder(columns: readonly Column[], delimiter: string, { header, terminal }: FormatOptions): RowEncoder {
  const quote = cacheQuoted(delimiter, terminal);
  const encodeCell = (cell: Cell, { kind }: Column): string => {
    if (cell === null) return "";
    if (kind === "stamp") return cell as string;
    if (isLosslessNumber(cell)) return cell.value;
    return kind === "value" && !(cell as string).startsWith('"') ? (cell as string) : quote(toPlainText(cell, kind));
  };
  const encodeRow = (row: Row) => `${row.map((cell, index) => encodeCell(cell, columns[index] as Column)).join(delimiter)}\n`;
  return {
    head: () => (header ? `${columns.map(({ name }) => quote(name)).join(delimiter)}\n` : ""),
    body: (rows) => joinChunks(mapRows(rows, encodeRow)),
    tail: () => [],
  };
}

function* mapRows(rows: Iterable<Row>, encode: (row: Row) => string): Generator<string> {
  for (const row of rows) yield encode(row);
}

/** The texts of a table are few and come again in every row: each is quoted and made formula-safe once. */
function cacheQuoted(delimiter: string, terminal: boolean): (text: string) => string {
  const quoted = new Map<string, string>();
  return (text) => {
    let cell = quoted.get(text);
    if (cell === undefined) {
      cell = stringify([[terminal ? escapeControls(text) : text]], { delimiter, escape_formulas: true, eof: false });
      quoted.set(text, cell);
    }
    return cell;
  };
}
