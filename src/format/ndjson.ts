/** ndjson: one JSON object a row and line. */
import type { Cell, Column, Row } from "../rows/table.ts";
import { toJsonText } from "../series/json.ts";
import { type Format, joinChunks } from "./format.ts";

export const ndjson: Format = {
  takes: "rows",
  shape: "long",
  streams: true,
  endings: ["ndjson", "jsonl"],
  heeds: ["shape"],
  open: (columns) => ({
    head: () => "",
    body: (rows) => joinChunks(encodeRows(columns, rows)),
    tail: () => [],
  }),
};

function* encodeRows(columns: readonly Column[], rows: Iterable<Row>): Generator<string> {
  const keys = columns.map(({ name }) => `${toJsonText(name)}:`);
  const cached = cacheTexts();
  for (const row of rows) {
    const fields = row.map((cell, index) => (keys[index] as string) + encodeCell(cell, columns[index] as Column, cached));
    yield `{${fields.join(",")}}\n`;
  }
}

function encodeCell(cell: Cell, { kind }: Column, cached: (cell: Cell) => string): string {
  if (cell === null) return "null";
  if (kind === "value") return cell as string;
  return kind === "stamp" ? `"${cell as string}"` : cached(cell);
}

/** The texts of a table are few and come again in every row. */
function cacheTexts(): (cell: Cell) => string {
  const texts = new Map<Cell, string>();
  return (cell) => {
    let text = texts.get(cell);
    if (text === undefined) {
      text = toJsonText(cell);
      texts.set(cell, text);
    }
    return text;
  };
}
