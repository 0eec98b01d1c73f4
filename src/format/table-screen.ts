/** A table as text that fits a screen. */
import type { Screen } from "./format.ts";
import { drawTable } from "./table-draw.ts";
import { fitColumns, measureText } from "./table-fit.ts";
import { describeTable } from "./table-footer.ts";
import { drawRecords } from "./table-records.ts";
import { listImplied } from "./table-labels.ts";
import { takeExcerpt, type TextColumn } from "./table-texts.ts";
import type { View } from "./table-view.ts";

export interface Drawing {
  readonly body: Iterable<string>;
  readonly footer: readonly string[];
  /** Whether each row is a line with all its columns. */
  readonly isWhole: boolean;
  readonly shown: number;
}

export interface Viewing {
  readonly screen: Screen;
  /** Rows; 0 is all. By default as many as the screen's height holds. */
  readonly limit?: number | undefined;
  readonly width?: number;
}

interface Frame {
  readonly limit: number;
  readonly width: number;
  readonly colors: boolean;
}

/** Of a terminal that says 0. */
const DEFAULT_SIZE = { columns: 80, rows: 24 };
const MIN_ROWS = 2;
/** The command and the prompt after it. */
const OTHER_LINES = 2;

export function widthOf({ isTerminal, columns }: Screen): number {
  return isTerminal ? columns || DEFAULT_SIZE.columns : Number.POSITIVE_INFINITY;
}

/** Without a limit, as many rows as the height of the screen holds. */
export function drawView(view: View, { screen, limit, width = widthOf(screen) }: Viewing): Drawing {
  const { colors } = screen;
  if (limit !== undefined || !screen.isTerminal) return drawFrame(view, { limit: limit ?? 0, width, colors });
  const height = screen.rows || DEFAULT_SIZE.rows;
  for (let rows = height; ; ) {
    const frame = drawFrame(view, { limit: rows, width, colors });
    const drawing = { ...frame, body: [...frame.body] };
    const body = countLines(drawing.body, width);
    const excess = body + countLines(drawing.footer, width) + OTHER_LINES - height;
    if (excess <= 0 || rows <= MIN_ROWS) return drawing;
    const perRow = Math.ceil(body / (drawing.shown + 1));
    rows = Math.max(MIN_ROWS, Math.min(rows, view.rows.count) - Math.ceil(excess / perRow));
  }
}

function drawFrame(view: View, { limit, width, colors }: Frame): Drawing {
  const { rows, constants, facts, zone } = view;
  const excerpt = takeExcerpt(rows, { limit, colors });
  const varying = excerpt.columns.filter(({ index }) => !constants.has(index));
  const layout = fitColumns(varying, width, () => listImplied(rows, new Set(varying.map(({ index }) => index))));
  const footer = describeTable(
    {
      count: rows.count,
      shown: excerpt.shown,
      window: excerpt.window,
      interval: rows.interval,
      zone,
      constants: [...excerpt.columns.flatMap((column) => describeConstant(column, constants)), ...facts],
      hidden: layout?.hidden ?? [],
    },
    width,
  );
  const body = layout ? drawTable(layout.columns, colors) : drawRecords({ ...excerpt, columns: varying }, width);
  return { body, footer: ["", ...footer], isWhole: layout?.hidden.length === 0, shown: excerpt.shown };
}

function describeConstant({ index, name }: TextColumn, constants: ReadonlyMap<number, string>): string[] {
  const value = constants.get(index);
  return value === undefined ? [] : [`${name} ${value === "" ? "(none)" : value}`];
}

/** The lines that a terminal makes of texts. */
function countLines(texts: readonly string[], width: number): number {
  const lines = texts.flatMap((text) => text.replace(/\n$/, "").split("\n"));
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(measureText(line) / width)), 0);
}
