/** csv and tsv: a header line, then one line per row. */
import { stringify } from "csv-stringify/sync";
import type { Column } from "../series/layout/layout.ts";
import { escapeControls } from "../base/terminal.ts";
import { toPlainText } from "./cells.ts";
import { describeTexts, type Format, type FormatOptions } from "./format.ts";
import { type LineStyle, openLines } from "./lines.ts";

export function createDelimitedFormat(delimiter: string): Format {
  return {
    shape: "long",
    collects: false,
    describe: (columns, { timeFormat }) => describeTexts(columns, timeFormat),
    open: (header, options) => openLines(createStyle(delimiter, header.columns, options), header),
  };
}

function createStyle(delimiter: string, columns: readonly Column[], { header, null: nullText = "", screen }: FormatOptions): LineStyle {
  const show = (text: string) => (screen.isTerminal ? escapeControls(text) : text);
  const quote = (text: string) => writeText(show(text), delimiter);
  return {
    head: header ? `${columns.map(({ name }) => quote(name)).join(delimiter)}\n` : "",
    open: "",
    separator: delimiter,
    close: "\n",
    key: () => "",
    stampQuote: "",
    nullText: writeNull(show(nullText), delimiter),
    text: (cell) => quote(String(cell)),
    textValue: (json) => quote(toPlainText(json, "value")),
  };
}

/** A cell of a text: a service's. */
export function writeText(text: string, delimiter: string): string {
  return stringify([[text]], { delimiter, escape_formulas: true, eof: false });
}

/** The user's own text, not a service's: written as it is, such as =NA(). */
export function writeNull(text: string, delimiter: string): string {
  return stringify([[text]], { delimiter, eof: false });
}
