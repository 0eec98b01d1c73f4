/** ndjson: one JSON object per line. */
import { toJsonText } from "../base/json.ts";
import { describeTexts, type Format } from "./format.ts";
import { type LineStyle, openLines } from "./lines.ts";

export const ndjson: Format = {
  collects: false,
  describe: describeTexts,
  open: (header, options) =>
    openLines(createJsonStyle(options.timeFormat?.startsWith("unix") ?? false), header, options),
};

function createJsonStyle(numericTime: boolean): LineStyle {
  return {
    head: "",
    open: "{",
    separator: ",",
    close: "}\n",
    key: ({ name }) => `${toJsonText(name)}:`,
    timestampQuote: numericTime ? "" : '"',
    nullText: "null",
    text: toJsonText,
    textValue: (json) => json,
  };
}
