/** Where plots and legends may stand on a page, and how much room that leaves for the plots. */
import { range } from "d3-array";
import { wrapText } from "../../../base/terminal.ts";
import type { FormatOptions } from "../../format.ts";
import type { Surface } from "../model/arrange.ts";
import { fitNames } from "../model/fit-names.ts";
import { listLegendPanels, type Panel, type Picture } from "../model/picture.ts";
import { createValueScale, listValueTicks, MAX_TICKS } from "../model/scales.ts";
import { condense } from "../model/condense.ts";
import { listTitles } from "../model/legend.ts";
import type { LegendStyle } from "../model/legend-layout.ts";
import { LARGE_TEXT, measureText, measureTexts, SMALL_TEXT, type TextSizes } from "./markup.ts";
import type { SvgFrame } from "./page.ts";

export type PageSize = Pick<FormatOptions, "width" | "height">;

const DEFAULT_WIDTH = 960;

/** A line is about two pixels wide. */
export function condenseFor({ width = DEFAULT_WIDTH }: PageSize, picture: Picture): Picture {
  return condense(picture, { dots: width, points: width / 2 });
}

/** Pages narrower than this have small text. */
const SMALL = 640;
/** Minimum size of a plot. */
export const LEAST = { width: 80, height: 60 };
/**
 * Ends of an axis are rounded as if there were at least this many ticks: coarser ones would leave much of a low plot
 * empty.
 */
export const ROUNDING = 5;

export interface SvgPage {
  readonly picture: Picture;
  readonly width: number;
  readonly height: number;
  readonly sizes: TextSizes;
  readonly margin: number;
  /** Width of the value axis. */
  readonly axis: number;
  readonly heading: SvgFrame["heading"];
  readonly notes: readonly string[];
  /** Heights above and below plots and legends. */
  readonly top: number;
  readonly bottom: number;
  /** The panels that have a legend. */
  readonly legendPanels: readonly Panel[];
}

export function measurePage(picture: Picture, options: PageSize): SvgPage {
  const { panels, isSplit } = picture;
  const rows = isSplit ? 1 : panels.length;
  const { width = DEFAULT_WIDTH, height = rows <= 1 ? 540 : 160 + 240 * rows } = options;
  const sizes = width < SMALL ? SMALL_TEXT : LARGE_TEXT;
  const margin = width < SMALL ? 8 : 16;
  const room = width - 2 * margin;
  const line = { room, measure: (text: string) => measureText(text, sizes.font) };
  const titleLine = { room, measure: (text: string) => BOLD * measureText(text, sizes.title) };
  const subtitles = height < LOW ? [] : wrap(picture.subtitle, line);
  const [title = "", ...shorter] = listTitles(picture, subtitles.join(" ") === picture.subtitle);
  const titles = wrap([title, ...shorter].find((text) => wrap(text, titleLine).join(" ") === text) ?? title, titleLine);
  const isSmall = width < SMALL;
  const texts = [...(isSmall ? [] : picture.notes), ...picture.remarks, ...(isSmall ? [] : [picture.source])];
  const notes = texts.flatMap((note) => (note === undefined ? [] : wrap(note, line)));
  let y = margin / 4;
  const heading = [
    ...titles.map((text) => ({ text, y: (y += sizes.title * 1.2), isTitle: true })),
    ...subtitles.map((text) => ({ text, y: (y += sizes.line), isTitle: false })),
  ];
  return {
    picture,
    width,
    height,
    sizes,
    margin,
    axis: measureTexts(panels.flatMap(listSampleTicks), sizes) + 8,
    heading,
    notes,
    // A value beside the upper end of the axis is half above it.
    top: y + (panels.length > 1 ? sizes.line * 0.4 : sizes.font * 0.9),
    bottom: notes.length > 0 ? notes.length * sizes.line + margin / 2 : margin / 4,
    legendPanels: listLegendPanels(picture),
  };
}

/** Labels that the value axis may have, as its height is not known yet. */
function listSampleTicks(panel: Panel): string[] {
  return range(2, MAX_TICKS + 1).flatMap((count) =>
    listValueTicks(createValueScale(panel, [0, 1], Math.max(count, ROUNDING)), count).map(({ text }) => text),
  );
}

/** Lines of a text, at most. */
const MAX_LINES = 2;
/** Bold text is wider by this. */
const BOLD = 1.08;
/** Pages lower than this have no subtitle. */
const LOW = 200;

/** Breaks a text into lines of a width in pixels; what they cannot hold is cut. */
function wrap(
  text: string,
  { room, measure }: { readonly room: number; readonly measure: (text: string) => number },
): string[] {
  const lines = wrapText(text, { width: room, measure });
  const rest = lines.slice(MAX_LINES - 1).join(" ");
  return [...lines.slice(0, MAX_LINES - 1), rest]
    .filter((line) => line !== "")
    .flatMap((line) => fitNames([line], (cut) => measure(cut) <= room));
}

export function svgSurfaceOf({ picture, width, height, margin, axis, top, bottom, sizes, notes }: SvgPage): Surface {
  const { panels, isSplit } = picture;
  return {
    count: panels.length,
    maxColumns: isSplit ? 4 : 1,
    width,
    height: height - top - bottom,
    left: margin + axis,
    right: margin,
    gap: sizes.font * 1.6,
    legendGap: 12,
    legendWidth: width - 2 * margin,
    // Notes, which are needed, do not count.
    enough: {
      width: width * (width < SMALL ? 0.76 : 0.7),
      height: (height - sizes.line * notes.length) * ((width < SMALL ? 0.68 : 0.6) - (panels.length > 1 ? 0.08 : 0)),
    },
    caption: panels.length > 1 ? sizes.line : 0,
    times: sizes.line + 3,
    below: isSplit ? sizes.line / 2 : sizes.line,
    least: LEAST,
    flat: 2,
    round: (size) => size,
  };
}

/** Longest name, in font sizes. */
const MAX_NAME = 18;

export function legendStyleOf({ font, line, swatch }: TextSizes): LegendStyle {
  const measure = (text: string) => measureText(text, font);
  return { measure, line, mark: swatch, gap: 12, figureGap: 14, maxName: MAX_NAME * font };
}
