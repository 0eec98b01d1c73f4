import CliTable from "cli-table3";
import { bold } from "../base/terminal.ts";
import { GAP, type LaidColumn, type Layout } from "./table-layout.ts";

/** cli-table3 is quadratic in rows: it gets one block of rows, with widths computed before. */
const BLOCK = 100;

/** Text whose length is its width. */
const PLAIN = /^[\x20-\x7e]*$/;

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
export function* drawTable({ columns }: Layout, rows: readonly (readonly string[])[], colors: boolean): Generator<string> {
  const titles = drawBlock(columns, [columns.map(({ title }) => title)]);
  yield colors ? `${bold(titles.trimEnd())}\n` : titles;
  yield `${columns.map(({ width }) => "-".repeat(width)).join(" ".repeat(GAP))}\n`;
  yield drawBlock(
    columns,
    rows.slice(0, BLOCK).map((row) => pick(row, columns)),
  );
  // Beyond one block cli-table3 is too slow: rows of plain cells that fit are padded here.
  for (const row of rows.slice(BLOCK)) yield padLine(row, columns) ?? drawBlock(columns, [pick(row, columns)]);
}

function pick(row: readonly string[], columns: readonly LaidColumn[]): string[] {
  return columns.map(({ index }) => row[index] ?? "");
}

/** The same line as `drawBlock` for a row of plain cells that fit; undefined for any other row. */
export function padLine(row: readonly string[], columns: readonly LaidColumn[]): string | undefined {
  const cells: string[] = [];
  for (const { index, width, align } of columns) {
    const text = row[index] ?? "";
    if (text.length > width || !PLAIN.test(text)) return undefined;
    cells.push(align === "right" ? text.padStart(width) : text.padEnd(width));
  }
  return `${cells.join(" ".repeat(GAP)).trimEnd()}\n`;
}

/** Lines from cli-table3, without borders. */
export function drawBlock(columns: readonly LaidColumn[], rows: readonly string[][]): string {
  if (rows.length === 0) return "";
  const block = new CliTable({
    chars: NO_BORDERS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ align }) => align),
    truncate: "~",
  });
  block.push(...rows);
  const lines = block
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
  return `${lines.join("\n")}\n`;
}
