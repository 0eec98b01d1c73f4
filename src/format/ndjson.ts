/** ndjson: one JSON object per line. */
import { toJsonText } from "../base/json.ts";
import type { Format } from "./format.ts";
import { type LineStyle, openLines } from "./lines.ts";

export const ndjson: Format = {
  shape: "long",
  collects: false,
  open: (header) => openLines(STYLE, header),
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
