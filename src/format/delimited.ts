/** csv and tsv: a header line, then one line per row. */
import { stringify } from "csv-stringify/sync";
import type { Column } from "../series/layout/layout.ts";
import { escapeControls } from "../base/terminal.ts";
import { toPlainText } from "./cells.ts";
import { describeTexts, type Format, type FormatOptions } from "./format.ts";
import { type LineStyle, openLines } from "./lines.ts";

export function createDelimitedFormat(delimiter: string): Format {
  return {
    collects: false,
    describe: describeTexts,
    open: (header, options) => openLines(createDelimitedStyle(delimiter, header.columns, options), header, options),
  };
}

function createDelimitedStyle(
  delimiter: string,
  columns: readonly Column[],
  { null: nullText = "", screen }: FormatOptions,
): LineStyle {
  // On a terminal a row is one line.
  const show = (text: string) => (screen.isTerminal ? escapeControls(text) : text);
  const quote = (text: string) => writeText(show(text), delimiter);
  return {
    head: `${columns.map(({ name }) => quote(name)).join(delimiter)}\n`,
    open: "",
    separator: delimiter,
    close: "\n",
    key: () => "",
    timestampQuote: "",
    nullText: writeNull(show(nullText), delimiter),
    text: (cell) => quote(String(cell)),
    textValue: (json) => quote(toPlainText(json, "value")),
  };
}

/** Writes a text cell from the service; formulas are escaped. Most need nothing of that. */
function writeText(text: string, delimiter: string): string {
  if (/^\w[\w .:/()%-]*$/.test(text)) return text;
  return stringify([[text]], { delimiter, escape_formulas: true, eof: false });
}

/** Writes the user's own text for null, without escaping formulas such as =NA(). */
function writeNull(text: string, delimiter: string): string {
  return stringify([[text]], { delimiter, eof: false });
}
