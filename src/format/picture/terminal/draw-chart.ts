/** Paints a picture in a terminal's cells. */
import type { ColorDepth } from "../../../base/context.ts";
import { wrapText } from "../../../base/terms.ts";
import type { Picture } from "../model/picture.ts";
import { type Arrangement, arrange, type ChartContent, squeeze } from "./arrange.ts";
import { CellGrid } from "./canvas.ts";
import { chooseLook } from "./look.ts";
import { countFrameRows, paintPanels, type Panels } from "./panels.ts";
import { createPens, type Pens } from "./pens.ts";
import { measureChartText, toShownText } from "./text.ts";

export interface ChartOptions {
  readonly width: number;
  readonly height: number;
  readonly colorDepth: ColorDepth;
  readonly unicode: boolean;
  /** The picture with fewer entries in its legends. */
  readonly fold: (maxEntries: number) => Picture;
}

/** Rows from which on there is room for the subtitle, the notes, and a line for the unit. */
const ROOMY = 16;
/** Entries of a legend where all of them leave no room for a plot. */
const FEWER = [8, 6, 5, 4, 3];

/** The lines of a chart. There are more than asked for only where there is no room for one plot with a few names. */
export function drawChart(picture: Picture, options: ChartOptions): string[] {
  let page = layOut(picture, options);
  if (picture.panels.length === 0) return paintPage(page, undefined);
  for (const smaller of listSmaller(picture, options)) {
    page = layOut(smaller, options);
    const arrangement = arrange(page.content);
    if (arrangement) return paintPage(page, arrangement);
  }
  return paintPage(page, squeeze(page.content));
}

/** With fewer and fewer entries, then with fewer panels. */
function* listSmaller(picture: Picture, { fold }: ChartOptions): Generator<Picture> {
  const most = Math.max(...picture.panels.map(({ series }) => series.length));
  const pictures = [picture, ...FEWER.filter((entries) => entries < most).map(fold)];
  for (let count = picture.panels.length; count > 0; count--) {
    const rest = picture.panels.slice(count).map((panel) => panel.title.toLowerCase());
    const title = rest.length === 0 ? picture.title : `${picture.title}; no room for ${rest.join(", ")}`;
    for (const one of pictures) yield { ...one, title, panels: one.panels.slice(0, count) };
  }
}

/** All texts, and what room they leave. */
interface Page extends Pick<Panels, "time" | "panels" | "hasCaptions"> {
  readonly options: ChartOptions;
  readonly pens: Pens;
  readonly title: readonly string[];
  readonly subtitle: readonly string[];
  readonly notes: readonly string[];
  readonly content: ChartContent;
}

function layOut(picture: Picture, options: ChartOptions): Page {
  const { width, height, colorDepth, unicode } = options;
  const pens = createPens(colorDepth);
  const show = (text: string) => toShownText(text, unicode);
  const wrap = (text: string) => wrapText(show(text), { width, measure: measureChartText });
  const isRoomy = height >= ROOMY;
  const [only] = picture.panels.length === 1 ? picture.panels : [];
  const title = wrap(only && !isRoomy ? `${picture.title}, ${only.unit}` : picture.title);
  // Subtitle and notes have as much as each panel.
  let room = Math.floor(height / (2 + picture.panels.length)) - title.length;
  const fit = (lines: readonly string[]) => {
    if (!isRoomy || lines.length > room) return [];
    room -= lines.length;
    return lines;
  };
  const subtitle = fit(wrap(picture.subtitle));
  const notes = picture.notes.flatMap((note) => fit(wrap(note)));
  const hasCaptions = isRoomy || !only;
  const panels = picture.panels.map((panel) => ({
    panel,
    look: chooseLook(panel, pens, unicode),
    caption: show(only ? panel.unit : `${panel.title}, ${panel.unit}`),
  }));
  const rows = height - title.length - subtitle.length - notes.length - countFrameRows({ panels, hasCaptions });
  return { options, pens, time: picture.time, title, subtitle, notes, panels, hasCaptions, content: { width, height: rows, panels } };
}

const SHORT = "no room for all figures";

function paintPage(page: Page, arrangement: Arrangement | undefined): string[] {
  const { bold, dim } = page.pens;
  const canvas = new CellGrid(page.options.width);
  let row = 0;
  const write = (lines: readonly string[], style: string) => {
    for (const text of lines) canvas.write(0, row++, { text, style });
  };
  write(page.title, bold);
  write(page.subtitle, dim);
  if (arrangement) row = paintPanels(canvas, { ...page, arrangement, top: row });
  else write(["no data"], dim);
  write(arrangement?.isShort ? [...page.notes, SHORT] : page.notes, dim);
  return [...canvas.lines()];
}
