/** Draws a table as lines that fit a screen. */
import { formatCount, formatNumber } from "../../base/phrases.ts";
import { countLines, DEFAULT_SCREEN } from "../../base/terminal.ts";
import type { FormatOptions, OutputScreen } from "../format.ts";
import { measureCells } from "../text-width.ts";
import { drawRecords, drawTable, fitColumns } from "./draw.ts";
import { type Excerpt, takeExcerpt } from "./texts.ts";
import type { View } from "./view.ts";

interface TableDrawing {
  /** Each ends in `\n`. */
  readonly lines: Iterable<string>;
  /** True if each row is a line with all its columns, and would be with as many rows as the screen has room for. */
  readonly isWhole: boolean;
}

const MIN_ROWS = 2;
/** Lines for the command and for the prompt after the output. */
const OTHER_LINES = 2;

export function widthOf({ isTerminal, columns }: OutputScreen): number {
  return isTerminal ? columns || DEFAULT_SCREEN.columns : Number.POSITIVE_INFINITY;
}

/** `limit`: maximum number of rows; 0 for all, by default as many as fit on the screen. */
export function drawView(view: View, { screen, linesAbove, limit }: FormatOptions, width = widthOf(screen)): TableDrawing {
  const isFitted = limit === undefined;
  const draw = (rows: number) => drawRows(view, takeExcerpt(view, rows, screen.colors), { width, colors: screen.colors, isFitted });
  if (!isFitted || !screen.isTerminal) return draw(limit ?? 0);
  const height = (screen.rows || DEFAULT_SCREEN.rows) - OTHER_LINES - (linesAbove?.() ?? 0);
  let fitting: TableDrawing | undefined;
  // With more rows, columns may get too wide for their layout.
  let isRoomWhole = true;
  let [most, tooMany] = [MIN_ROWS, Math.max(MIN_ROWS, Math.min(height, view.count)) + 1];
  while (tooMany - most > 1) {
    const rows = Math.floor((most + tooMany) / 2);
    const { lines, isWhole } = draw(rows);
    const drawing = { lines: [...lines], isWhole };
    if (countLines(drawing.lines, width, measureCells) > height) [tooMany, isRoomWhole] = [rows, isWhole];
    else [fitting, most] = [drawing, rows];
  }
  const { lines, isWhole } = fitting ?? draw(MIN_ROWS);
  return { lines, isWhole: isWhole && isRoomWhole };
}

interface Drawing {
  readonly width: number;
  readonly colors: boolean;
  /** True if the screen's height decides the number of rows. */
  readonly isFitted: boolean;
}

/** Draws the rows and, below them, their number, their period and the values that all rows share. */
function drawRows(view: View, excerpt: Excerpt, { width, colors, isFitted }: Drawing): TableDrawing {
  const { constants, listMinor, facts } = view;
  const { columns, skippedAt } = excerpt;
  const varying = columns.filter(({ index }) => !constants.has(index));
  const layout = fitColumns(varying, width, () => listMinor(new Set(varying.map(({ index }) => index))));
  const common = columns.flatMap(({ index, name, unit }) => {
    const value = constants.get(index);
    if (value === undefined) return [];
    return value === "" ? `${name} (none)` : [name, value, unit].filter(Boolean).join(" ");
  });
  const hidden = (layout?.hidden ?? []).map((name, index) => (index === 0 ? `hidden (terminal too narrow): ${name}` : name));
  const listFooter = (...groups: readonly (readonly string[])[]) => [...groups, hidden].flatMap((items) => joinItems(items, width));
  const [amount = "", ...window] = listAmounts(view, excerpt);
  const about = [...common, ...facts];
  const plain = listFooter([amount, ...window], about);
  const isHinted = isFitted && excerpt.shown < view.count;
  const hinted = isHinted && [
    listFooter([`${amount} (--limit 0 shows all)`, ...window], about),
    listFooter([amount, ...window], [...about, "--limit 0 shows all rows"]),
  ];
  // The hint is shown only if it takes no extra line.
  const footer = (hinted && hinted.find(({ length }) => length === plain.length)) || plain;
  const body = layout ? drawTable(layout.columns, colors) : drawRecords(varying, skippedAt, width);
  return { lines: joinLines(body, footer), isWhole: layout?.hidden.length === 0 };
}

function* joinLines(body: Iterable<string>, footer: readonly string[]): Generator<string> {
  yield* body;
  yield "\n";
  for (const line of footer) yield `${line}\n`;
}

/** `2 of 864 rows`, the first and last timestamp, the zone, the interval; leaves out what is unknown. */
function listAmounts({ count, interval, zone }: View, { shown, window }: Excerpt): string[] {
  const rows = formatCount(count, "row");
  const amount = shown < count ? `${formatNumber(shown)} of ${rows}` : rows;
  if (window.length === 0) return [amount];
  return [amount, window.join(" to "), ...(zone === undefined ? [] : [zone]), ...(interval ? [`interval ${interval}`] : [])];
}

/** Joins items to lines without breaking any item. */
function joinItems(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.at(-1);
    // Room for a comma after the item.
    if (line === undefined || measureCells(`${line}, ${item},`) > width) lines.push(item);
    else lines[lines.length - 1] = `${line}, ${item}`;
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line));
}
