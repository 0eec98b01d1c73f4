import CliTable from "cli-table3";
import { bold } from "../base/terminal.ts";
import { GAP, type LaidColumn, measurePlain, measureText } from "./table-fit.ts";

/** cli-table3 is quadratic in rows: it gets one block of rows, with widths computed before. */
const BLOCK = 100;

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
  const titles = drawBlock(columns, [columns.map(({ title }) => title)]);
  yield colors ? `${bold(titles.trimEnd())}\n` : titles;
  // cli-table3 draws a rule between all rows, or none.
  yield `${columns.map(({ width }) => "-".repeat(width)).join(" ".repeat(GAP))}\n`;
  yield* drawRows(columns);
}

function* drawRows(columns: readonly LaidColumn[]): Generator<string> {
  const count = columns[0]?.cells.length ?? 0;
  const rowAt = (index: number) => columns.map(({ cells }) => cells[index] ?? "");
  yield drawBlock(
    columns,
    Array.from({ length: Math.min(count, BLOCK) }, (_, index) => rowAt(index)),
  );
  // Beyond one block cli-table3 is too slow: rows of plain cells that fit are padded here.
  for (let index = BLOCK; index < count; index++) yield padLine(columns, rowAt(index)) ?? drawBlock(columns, [rowAt(index)]);
}

/** The same line as `drawBlock` for a row of plain cells that fit; undefined for any other row. */
export function padLine(columns: readonly LaidColumn[], row: readonly string[]): string | undefined {
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

/** Lines from cli-table3, without borders. */
export function drawBlock(columns: readonly LaidColumn[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const block = new CliTable({
    chars: NO_BORDERS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ align }) => align),
  });
  const wrap = (content: string, width: number) => (measureText(content) > width ? { content, wordWrap: true } : content);
  block.push(...rows.map((row) => row.map((text, index) => wrap(text, columns[index]?.width ?? 0))));
  const lines = block
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
  return `${lines.join("\n")}\n`;
}
