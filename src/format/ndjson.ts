/** ndjson: one JSON object per line. */
import { toJsonText } from "../base/json.ts";
import { describeTexts, type Format } from "./format.ts";
import { type LineStyle, openLines } from "./lines.ts";

export const ndjson: Format = {
  shape: "long",
  collects: false,
  describe: (columns, { timeFormat }) => describeTexts(columns, timeFormat),
  open: (header, { timeFormat }) => openLines(createStyle(timeFormat?.startsWith("unix") ?? false), header),
};

function createStyle(numericTime: boolean): LineStyle {
  return {
    head: "",
    open: "{",
    separator: ",",
    close: "}\n",
    key: ({ name }) => `${toJsonText(name)}:`,
    stampQuote: numericTime ? "" : '"',
    nullText: "null",
    text: toJsonText,
    textValue: (json) => json,
  };
}
