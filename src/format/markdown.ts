/** markdown: a table to paste, with the layout of tables and all rows. */
import { openTable } from "./table/table.ts";
import { nameWithUnit } from "./table/grid.ts";
import type { Fitted } from "./table/screen.ts";
import type { Format, FormatOptions } from "./format.ts";

export const markdown: Format = {
  collects: true,
  usesUnits: true,
  open: (header, options) =>
    openTable(
      header,
      // As wide as it needs, wherever it is shown.
      { ...options, null: options.null ?? "", screen: { ...options.screen, isTerminal: false, colors: false } },
      { draw: drawMarkdown, hasLines: false },
    ),
};

function* drawMarkdown({ grid }: Fitted, { limit = 0 }: FormatOptions): Generator<string> {
  const { columns, sections, title } = grid;
  const excerpts = sections.map((section) => section.take(limit, 0));
  if (title !== undefined) yield `**${escapeMarkdown(title)}**\n\n`;
  for (const [at, { rows }] of excerpts.entries()) {
    if (sections.length > 1) yield `${at > 0 ? "\n" : ""}**${escapeMarkdown(sections[at]?.title ?? "")}**\n\n`;
    yield printRow(columns.map((column) => nameWithUnit(column)));
    yield printRow(
      columns.map(({ align }) => (align === "right" ? "--:" : "---")),
      String,
    );
    for (const row of rows) yield printRow(row);
  }
  const { groups, optional, remarks } = grid.describe(sections.map(({ count }) => Math.min(count, limit || count)));
  const lines = [[...groups.flat(), ...optional].join(", "), ...remarks.map(({ text }) => text)];
  for (const line of lines.filter(Boolean)) yield `\n${escapeMarkdown(line)}\n`;
}

function printRow(cells: readonly string[], print = escapeMarkdown): string {
  return `| ${cells.map(print).join(" | ")} |\n`;
}

/** Characters that would be taken for markup or, in a table, for its lines. An underscore inside a word is none. */
function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*|<>[\]]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\$&")
    .replaceAll(/&(?=[#\w]+;)/g, "&amp;")
    .replaceAll(/\s+/g, " ");
}
