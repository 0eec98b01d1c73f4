import CliTable from "cli-table3";
import { bold } from "../../base/terminal.ts";
import { GAP, type LaidColumn, measurePlain, measureText, nameWithUnit } from "./fit.ts";
import { formatTerms } from "../../base/terms.ts";
import type { Excerpt } from "./texts.ts";

const NO_BORDERS = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: " ".repeat(GAP),
};

/** Titles, a rule, rows; each line ends in `\n`. */
export function* drawTable(columns: readonly LaidColumn[], colors: boolean): Generator<string> {
  const titles = drawRow(
    columns,
    columns.map(({ title }) => title),
  );
  yield colors ? `${bold(titles.trimEnd())}\n` : titles;
  yield `${columns.map(({ width }) => "-".repeat(width)).join(" ".repeat(GAP))}\n`;
  const count = columns[0]?.cells.length ?? 0;
  for (let index = 0; index < count; index++) {
    const row = columns.map(({ cells }) => cells[index] ?? "");
    yield padRow(columns, row) ?? drawRow(columns, row);
  }
}

/** A row of plain cells that fit, as `drawRow` draws it: cli-table3 takes 40 µs for each. Undefined for any other row. */
export function padRow(columns: readonly LaidColumn[], row: readonly string[]): string | undefined {
  let line = "";
  for (const [index, text] of row.entries()) {
    const { width, align } = columns[index] as LaidColumn;
    const length = measurePlain(text);
    if (length === undefined || length > width) return undefined;
    const padding = " ".repeat(width - length);
    line += `${index === 0 ? "" : NO_BORDERS.middle}${align === "right" ? padding + text : text + padding}`;
  }
  return `${line.trimEnd()}\n`;
}

/** A row from cli-table3, without borders; texts that are too long wrap. */
export function drawRow(columns: readonly LaidColumn[], row: readonly string[]): string {
  const table = new CliTable({
    chars: NO_BORDERS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ align }) => align),
  });
  table.push(row.map((content, index) => (measureText(content) > (columns[index]?.width ?? 0) ? { content, wordWrap: true } : content)));
  const lines = table.toString().split("\n");
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** Rows that do not fit a line: each as lines of name and value, with an empty line between two. */
export function* drawRecords({ columns, skippedAt }: Pick<Excerpt, "columns" | "skippedAt">, width: number): Generator<string> {
  const titles = columns.map((column) => nameWithUnit(column));
  const count = columns[0]?.cells.length ?? 0;
  for (let row = 0; row < count; row++) {
    if (row > 0) yield "\n";
    const cells = columns.map(({ cells: all }, index) => [titles[index] ?? "", all[row] ?? ""] as const);
    const lines = row === skippedAt ? cells.slice(0, 1).map(([, skipped]) => skipped) : formatTerms(cells, { width, measure: measureText });
    for (const line of lines) yield `${line}\n`;
  }
}
