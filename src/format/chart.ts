/** chart: a picture in a terminal, drawn with dot and block characters. */
import { DEFAULT_SCREEN } from "../base/terminal.ts";
import { drawChart } from "./picture/terminal/draw-chart.ts";
import { condense } from "./picture/model/condense.ts";
import type { Picture } from "./picture/model/picture.ts";
import { DOTS } from "./picture/terminal/draw-lines.ts";
import { type Format, type FormatOptions, joinTexts } from "./format.ts";
import { createPictureFormat } from "./picture/picture-format.ts";

const drawn = createPictureFormat((picture, { options, fold }) => {
  const { colorDepth, unicode } = options.screen;
  const size = findSize(options);
  const dots = size.width * DOTS.across;
  const dense = (whole: Picture) => condense(whole, { dots, points: dots });
  // Letters tell the series apart without colours.
  const drawing = {
    ...size,
    colorDepth: options.palette === "grey" ? (1 as const) : colorDepth,
    unicode,
    fold: (maxEntries: number) => dense(fold(maxEntries)),
  };
  return joinTexts(drawChart(dense(picture), drawing).map((line) => `${line}\n`));
});

export const chart: Format = { ...drawn, styled: true };

/** Rows left for the shell prompt; many prompts have two lines. */
const PROMPT_ROWS = 2;
/** The smallest size that a plot can be drawn in, in cells. */
const MIN_SIZE = { width: 24, height: 8 };

function findSize({ screen, linesAbove, width, height }: FormatOptions): {
  readonly width: number;
  readonly height: number;
} {
  const columns = width ?? screen.columns ?? DEFAULT_SCREEN.columns;
  const rows =
    height ?? (screen.rows === undefined ? DEFAULT_SCREEN.rows : screen.rows - PROMPT_ROWS - (linesAbove?.() ?? 0));
  return { width: Math.max(columns, MIN_SIZE.width), height: Math.max(rows, MIN_SIZE.height) };
}
