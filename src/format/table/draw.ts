/** Draws tables as lines; each ends in `\n`. */
import CliTable from "cli-table3";
import { bold, formatTerms, type Term, type TermPage, wrapText } from "../../base/terminal.ts";
import { measureCells, measurePlain } from "../text-width.ts";
import { type Fit, GAP, pickAt, titleOf, wrapWidths } from "./fit.ts";
import { type Excerpt, type Grid, type GridColumn, measureWidest, measureWords, nameWithUnit } from "./grid.ts";

const BLANKS = " ".repeat(GAP);
const SIDES = ["top", "bottom"].flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`]);
const BORDERS = [...SIDES, ...["left", "mid", "right"].flatMap((place) => [place, `${place}-mid`])];
const NO_BORDERS = { ...Object.fromEntries(BORDERS.map((border) => [border, ""])), middle: BLANKS };

export interface Drawing {
  readonly width: number;
  readonly colors: boolean;
}

export type LaidColumn = Pick<GridColumn, "align"> & {
  readonly title: string;
  readonly width: number;
};

/** Draws headings, a rule and the rows of each section, as wide as these need. `excerpts`: one per section. */
export function* drawGrid(
  grid: Grid,
  { excerpts, ...fit }: Fit & { excerpts: readonly Excerpt[] },
  page: Drawing,
): Generator<string> {
  const emphasize = page.colors ? bold : String;
  const columns = layOutColumns(grid, { ...fit, excerpts }, page);
  for (const line of grid.title === undefined ? [] : wrapText(grid.title, { width: page.width, measure: measureCells }))
    yield `${emphasize(line)}\n`;
  const titles = drawTitles(columns);
  yield page.colors ? `${bold(titles.trimEnd())}\n` : titles;
  yield `${columns.map(({ width }) => "-".repeat(width)).join(BLANKS)}\n`;
  for (const [at, { rows, totalAt }] of excerpts.entries()) {
    if (grid.sections.length > 1) yield `${emphasize(grid.sections[at]?.title ?? "")}\n`;
    for (const [index, all] of rows.entries()) {
      const line = drawRow(columns, pickAt(all, fit.shown));
      yield index === totalAt && page.colors ? `${bold(line.trimEnd())}\n` : line;
    }
  }
}

function layOutColumns(
  { columns }: Grid,
  { excerpts, shown, isBroken }: Fit & { excerpts: readonly Excerpt[] },
  page: Drawing,
): LaidColumn[] {
  const measured = shown.map((at) => {
    const column = columns[at] as GridColumn;
    const title = titleOf(column, isBroken);
    const cells = excerpts.flatMap(({ rows }) => rows.map((row) => row[at] ?? ""));
    const width = Math.max(measureWidest(title.split("\n")), measureWidest(cells));
    const canWrap = column.widestWord !== undefined && cells.some((text) => text.includes(" "));
    return { title, align: column.align, width, narrowest: canWrap ? measureWords([title, ...cells]) : undefined };
  });
  const widths = wrapWidths(measured, page.width);
  return measured.map(({ title, align }, at) => ({ title, align, width: widths[at] as number }));
}

export function drawTitles(columns: readonly LaidColumn[]): string {
  return drawRow(
    columns,
    columns.map(({ title }) => title),
  );
}

/**
 * Draws a row whose texts fit. One that wraps, or has characters of other widths, is left to cli-table3, which takes 40
 * µs a row.
 */
export function drawRow(columns: readonly LaidColumn[], row: readonly string[]): string {
  let line = "";
  for (const [index, text] of row.entries()) {
    const { width, align } = columns[index] as LaidColumn;
    const length = measurePlain(text);
    if (length === undefined || length > width) return drawWrapped(columns, row);
    const padding = " ".repeat(width - length);
    line += `${index === 0 ? "" : BLANKS}${align === "right" ? padding + text : text + padding}`;
  }
  return `${line.trimEnd()}\n`;
}

/** Draws a row with cli-table3, without borders; texts that are too long wrap. */
export function drawWrapped(columns: readonly LaidColumn[], row: readonly string[]): string {
  const table = new CliTable({
    chars: NO_BORDERS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ align }) => align),
  });
  table.push(
    row.map((content, index) =>
      measureCells(content) > (columns[index]?.width ?? 0) ? { content, wordWrap: true } : content,
    ),
  );
  const lines = table.toString().split("\n");
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/**
 * Draws rows that do not fit in a line: one line of name and value per cell, with an empty line between rows. Values
 * stand below their names where even that is too wide.
 */
export function* drawRecords(
  { columns, sections }: Grid,
  excerpts: readonly Excerpt[],
  { width }: Drawing,
): Generator<string> {
  const indent = 2 + measureWidest(columns.map((column) => nameWithUnit(column)));
  const isStacked = excerpts.some(({ rows }) => indent + measureWords(rows.flat()) > width);
  for (const [at, { rows, gapAt }] of excerpts.entries()) {
    if (sections.length > 1) yield `${sections[at]?.title ?? ""}\n`;
    for (const [index, row] of rows.entries()) {
      if (index > 0) yield "\n";
      const terms = columns.map((column, cell) => [nameWithUnit(column), row[cell] ?? ""] as const);
      const format = isStacked ? stackTerms : formatTerms;
      const lines =
        index === gapAt ? terms.slice(0, 1).map(([, dots]) => dots) : format(terms, { width, measure: measureCells });
      for (const line of lines) yield `${line}\n`;
    }
  }
}

function stackTerms(terms: readonly Term[], page: Required<TermPage>): string[] {
  const narrower = { ...page, width: page.width - 2 };
  return terms.flatMap(([term, text]) => [
    ...wrapText(term, page),
    ...wrapText(text, narrower).map((line) => `  ${line}`.trimEnd()),
  ]);
}
