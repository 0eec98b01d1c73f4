/** ndjson: one JSON object a row and line. */
import { toJsonText } from "../base/json.ts";
import type { RowFormat } from "./format.ts";
import { type LineStyle, openLines } from "./lines.ts";

export const ndjson: RowFormat = {
  takes: "rows",
  shape: "long",
  streams: true,
  open: (columns) => openLines(STYLE, columns),
};

const STYLE: LineStyle = {
  head: "",
  open: "{",
  separator: ",",
  close: "}\n",
  key: ({ name }) => `${toJsonText(name)}:`,
  quote: '"',
  nullText: "null",
  text: toJsonText,
  textValue: (json) => json,
};
