/** Paints a picture in a terminal's cells. */
import type { ColorDepth } from "../../base/context.ts";
import { wrapText } from "../../base/terms.ts";
import type { Picture } from "../picture/picture.ts";
import { Canvas } from "./canvas.ts";
import { chooseLook } from "./look.ts";
import { paintPanels } from "./panels.ts";
import { createPens } from "./pens.ts";
import { measureText, toShownText } from "./text.ts";

export interface ChartOptions {
  readonly width: number;
  readonly height: number;
  readonly colorDepth: ColorDepth;
  readonly unicode: boolean;
}

/** Rows from which on there is room for the subtitle, the notes, and a line for the unit. */
const ROOMY = 16;

/** The lines of a chart. There are more than asked for only where the legend leaves no room for a plot. */
export function paintPicture(picture: Picture, { width, height, colorDepth, unicode }: ChartOptions): string[] {
  const { title, subtitle, notes, panels, time } = picture;
  const pens = createPens(colorDepth);
  const canvas = new Canvas(width);
  const show = (text: string) => toShownText(text, unicode);
  const wrap = (text: string) => wrapText(show(text), { width, measure: measureText });
  let row = 0;
  const write = (text: string, style: string) => {
    for (const line of wrap(text)) canvas.write(0, row++, { text: line, style });
  };
  const isRoomy = height >= ROOMY;
  const [only] = panels.length === 1 ? panels : [];
  write(only && !isRoomy ? `${title}, ${only.unit}` : title, pens.bold);
  if (isRoomy) write(subtitle, pens.dim);
  const remarks = isRoomy ? notes : [];
  if (panels.length === 0) write("no data", pens.dim);
  else {
    const below = remarks.reduce((rows, note) => rows + wrap(note).length, 0);
    const captioned = panels.map((panel) => ({
      panel,
      look: chooseLook(panel, pens, unicode),
      caption: show(only ? panel.unit : `${panel.title}, ${panel.unit}`),
    }));
    row = paintPanels(canvas, { time, panels: captioned, hasCaptions: isRoomy || !only, top: row, height: height - row - below });
  }
  for (const note of remarks) write(note, pens.dim);
  return [...canvas.lines()];
}
