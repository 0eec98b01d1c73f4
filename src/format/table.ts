/** table: for reading. Numbers to the right, units in the header, the number of rows in the last line. */
import { formatNumber } from "../base/numbers.ts";
import type { Column, Row } from "../series/layout/table.ts";
import { escapeControls } from "../base/terminal.ts";
import { toPlainText } from "./cells.ts";
import { TERMINAL_ROWS } from "./flags.ts";
import { type Encoder, type Format, type FormatOptions, type Header, joinTexts, type Screen } from "./format.ts";
import { fitColumns } from "./table-layout.ts";
import { drawTable } from "./table-draw.ts";

export const table: Format = {
  shape: "wide",
  collects: true,
  open: openEncoder,
};

/** The rows that a table shows, the first and the last, and the number of all rows. */
interface Excerpt {
  readonly first: Row[];
  readonly last: Row[];
  count: number;
  firstStamp: string | undefined;
  lastStamp: string | undefined;
}

interface Drawing {
  readonly limit: number;
  readonly screen: Screen;
}

function openEncoder({ columns }: Header, { screen, limit = screen.isTerminal ? TERMINAL_ROWS : 0 }: FormatOptions): Encoder {
  const excerpt: Excerpt = { first: [], last: [], count: 0, firstStamp: undefined, lastStamp: undefined };
  return {
    write: (batch) => {
      for (const row of batch.rows()) addRow(excerpt, row, { columns, limit });
      return [];
    },
    end: () => joinTexts(drawExcerpt(excerpt, columns, { limit, screen })),
  };
}

function addRow(excerpt: Excerpt, row: Row, { columns, limit }: { columns: readonly Column[]; limit: number }): void {
  excerpt.count += 1;
  if (columns[0]?.kind === "stamp") {
    excerpt.firstStamp ??= String(row[0]);
    excerpt.lastStamp = String(row[0]);
  }
  if (limit === 0 || excerpt.first.length < Math.ceil(limit / 2)) excerpt.first.push(row);
  else excerpt.last.push(row);
  if (excerpt.last.length > 2 * limit) excerpt.last.splice(0, excerpt.last.length - Math.floor(limit / 2));
}

function* drawExcerpt(excerpt: Excerpt, columns: readonly Column[], { limit, screen }: Drawing): Generator<string> {
  const { first, count } = excerpt;
  const last = excerpt.last.slice(Math.max(0, excerpt.last.length - Math.floor(limit / 2)));
  const skipped = first.length + last.length < count;
  const toTexts = (row: Row) => row.map((cell, index) => escapeControls(toPlainText(cell, (columns[index] as Column).kind)));
  const rows = [...first.map(toTexts), ...(skipped ? [columns.map(() => "...")] : []), ...last.map(toTexts)];
  const layout = fitColumns(columns, rows, screen.isTerminal ? screen.columns : undefined);
  yield* drawTable(layout, rows, screen.colors);
  yield `\n${describeExcerpt(excerpt, first.length + last.length)}\n`;
  if (layout.hidden.length > 0) yield `hidden (terminal too narrow): ${layout.hidden.join(", ")}\n`;
}

function describeExcerpt({ count, firstStamp, lastStamp }: Excerpt, shown: number): string {
  const rows = `${formatNumber(count)} ${count === 1 ? "row" : "rows"}`;
  const amount = shown === count ? rows : `${formatNumber(shown)} of ${rows}`;
  if (firstStamp === undefined || lastStamp === undefined) return amount;
  return firstStamp === lastStamp ? `${amount}, ${firstStamp}` : `${amount}, ${firstStamp} to ${lastStamp}`;
}
