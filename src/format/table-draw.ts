import CliTable from "cli-table3";
import { bold } from "../terminal.ts";
import { GAP, type LaidColumn, type Layout } from "./table-layout.ts";

/** cli-table3 takes quadratic time in rows: it is fed blocks of them, with widths that are settled before. */
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

/** Title line, rule, rows; each line ends in `\n`. */
export function* drawTable({ columns }: Layout, rows: readonly (readonly string[])[], colors: boolean): Generator<string> {
  const titles = drawBlock(columns, [columns.map(({ title }) => title)]);
  yield colors ? `${bold(titles.trimEnd())}\n` : titles;
  yield `${columns.map(({ width }) => "-".repeat(width)).join(" ".repeat(GAP))}\n`;
  for (let from = 0; from < rows.length; from += BLOCK) {
    const block = rows.slice(from, from + BLOCK);
    yield drawBlock(
      columns,
      block.map((row) => columns.map(({ index }) => row[index] ?? "")),
    );
  }
}

function drawBlock(columns: readonly LaidColumn[], rows: readonly string[][]): string {
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
