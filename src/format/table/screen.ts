/** A table as text that fits a screen. */
import { countLines, DEFAULT_SCREEN } from "../base/terminal.ts";
import type { Screen } from "./format.ts";
import { drawTable } from "./table-draw.ts";
import { fitColumns, measureText } from "./table-fit.ts";
import { describeTable } from "./table-footer.ts";
import { drawRecords } from "./table-records.ts";
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
  readonly linesAbove?: (() => number) | undefined;
  /** Rows; 0 is all. By default as many as the screen's height holds. */
  readonly limit?: number | undefined;
  readonly width?: number;
}

interface Frame {
  readonly limit: number;
  readonly width: number;
  readonly colors: boolean;
}

const MIN_ROWS = 2;
/** The command and the prompt after it. */
const OTHER_LINES = 2;

export function widthOf({ isTerminal, columns }: Screen): number {
  return isTerminal ? columns || DEFAULT_SCREEN.columns : Number.POSITIVE_INFINITY;
}

/** Without a limit, as many rows as the height of the screen holds. */
export function drawView(view: View, { screen, linesAbove, limit, width = widthOf(screen) }: Viewing): Drawing {
  const { colors } = screen;
  if (limit !== undefined || !screen.isTerminal) return drawFrame(view, { limit: limit ?? 0, width, colors });
  const height = (screen.rows || DEFAULT_SCREEN.rows) - OTHER_LINES - (linesAbove?.() ?? 0);
  const draw = (rows: number) => {
    const frame = drawFrame(view, { limit: rows, width, colors });
    const body = [...frame.body];
    const lines = countLines(body, width, measureText);
    const room = height - lines - countLines(frame.footer, width, measureText);
    return { rows, drawing: { ...frame, body }, room, more: Math.floor(room / Math.ceil(lines / (frame.shown + 1))) };
  };
  let best = draw(Math.max(MIN_ROWS, height));
  let tooMany = best.rows + 1;
  while (best.room < 0 && best.rows > MIN_ROWS) {
    tooMany = best.rows;
    best = draw(Math.max(MIN_ROWS, Math.min(best.rows, view.rows.count) + best.more));
  }
  // Fewer rows may take fewer lines each, as columns are as wide as what they show: then there is room for more.
  tooMany = Math.min(tooMany, best.rows + best.room + 1);
  while (tooMany - best.rows > 1) {
    const other = draw(Math.floor((best.rows + tooMany) / 2));
    if (other.room < 0) tooMany = other.rows;
    else best = other;
  }
  return best.drawing;
}

function drawFrame(view: View, { limit, width, colors }: Frame): Drawing {
  const { rows, constants, listMinor, facts, zone } = view;
  const excerpt = takeExcerpt(rows, { limit, colors });
  const varying = excerpt.columns.filter(({ index }) => !constants.has(index));
  const layout = fitColumns(varying, width, () => listMinor(new Set(varying.map(({ index }) => index))));
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

function describeConstant({ index, name, unit }: TextColumn, constants: ReadonlyMap<number, string>): string[] {
  const value = constants.get(index);
  if (value === undefined) return [];
  return [value === "" ? `${name} (none)` : [name, value, unit].filter(Boolean).join(" ")];
}
