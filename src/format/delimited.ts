/** csv and tsv: a header line, then one line per row. */
import { stringify } from "csv-stringify/sync";
import type { Column } from "../series/layout/table.ts";
import { escapeControls } from "../base/terminal.ts";
import { toPlainText } from "./cells.ts";
import type { Format, FormatOptions } from "./format.ts";
import { type LineStyle, openLines } from "./lines.ts";

export const csv: Format = createFormat(",");
export const tsv: Format = createFormat("\t");

function createFormat(delimiter: string): Format {
  return {
    shape: "long",
    collects: false,
    open: (header, options) => openLines(createStyle(delimiter, header.columns, options), header),
  };
}

function createStyle(delimiter: string, columns: readonly Column[], { header, null: nullText = "", screen }: FormatOptions): LineStyle {
  const write = (text: string, escapeFormulas: boolean) =>
    stringify([[screen.isTerminal ? escapeControls(text) : text]], { delimiter, escape_formulas: escapeFormulas, eof: false });
  const quote = (text: string) => write(text, true);
  return {
    head: header ? `${columns.map(({ name }) => quote(name)).join(delimiter)}\n` : "",
    open: "",
    separator: delimiter,
    close: "\n",
    key: () => "",
    quote: "",
    // The user's own, not a service's: written as it is, such as =NA().
    nullText: write(nullText, false),
    text: (cell) => quote(String(cell)),
    textValue: (json) => quote(toPlainText(json, "value")),
  };
}
