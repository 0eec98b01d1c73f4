/** chart: a picture in the cells of a terminal, drawn in dots and blocks. */
import { paintPicture } from "./chart/paint.ts";
import type { Format, FormatOptions } from "./format.ts";
import { createPictureFormat } from "./picture/picture-format.ts";

export const chart: Format = createPictureFormat(function* (picture, { options, fold }) {
  const { colorDepth, unicode } = options.screen;
  for (const line of paintPicture(picture, { ...findSize(options), colorDepth, unicode, fold })) yield `${line}\n`;
});

/** Where there is no terminal. */
const DEFAULT_SIZE = { columns: 80, rows: 24 };
/** Many prompts have two lines. */
const PROMPT_ROWS = 2;
/** The narrowest and the lowest that a plot can be drawn in. */
const LEAST_SIZE = { width: 24, height: 8 };

function findSize({ screen, width, height }: FormatOptions): { readonly width: number; readonly height: number } {
  const columns = width ?? screen.columns ?? DEFAULT_SIZE.columns;
  const rows = height ?? (screen.rows === undefined ? DEFAULT_SIZE.rows : screen.rows - PROMPT_ROWS);
  return { width: Math.max(columns, LEAST_SIZE.width), height: Math.max(rows, LEAST_SIZE.height) };
}
