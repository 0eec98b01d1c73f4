/** html: the picture as a page of one file that needs no network. */
import { createHash } from "node:crypto";
import { FONT, type Frame, layOut } from "./picture/frame.ts";
import { listTitles, orderLegend, printFigures } from "./picture/legend.ts";
import { element, escapeMarkup, openElement } from "./picture/markup.ts";
import { describePage } from "./picture/page/data.ts";
import { PAGE_SCRIPT } from "./picture/page/script.ts";
import { styleOf } from "./picture/page/style.ts";
import { paintEmpty, paintPlots } from "./picture/paint.ts";
import type { Panel, Picture } from "./picture/picture.ts";
import { type Canvas, createPictureFormat } from "./picture/picture-format.ts";

export const html = createPictureFormat(drawPage);

function* drawPage(picture: Picture, { options, about }: Canvas): Generator<string> {
  const frame = layOut(picture, { width: options.width, height: options.height, isWhole: false });
  const style = styleOf(picture);
  yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n';
  yield `${openElement("meta", { "http-equiv": "Content-Security-Policy", content: writePolicy(style) })}\n`;
  yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n';
  yield `<title>${escapeMarkup(picture.title)}</title>\n<style>${style}</style>\n</head>\n<body>\n<main>\n`;
  yield `<h1>${escapeMarkup(picture.title)}</h1>\n<p>${escapeMarkup(picture.subtitle)}</p>\n<div class="sheet">\n`;
  yield* drawFigure(picture, frame);
  yield '<div class="tables">\n';
  for (const [index, panel] of picture.panels.entries()) yield drawTable(panel, index);
  yield "</div>\n</div>\n";
  if (picture.notes.length > 0) yield element("ul", {}, picture.notes.map((note) => element("li", {}, escapeMarkup(note))).join(""));
  if (about) yield `\n${element("footer", {}, escapeMarkup(`${about.command} (ents ${about.version}, ${about.service})`))}`;
  yield `\n</main>\n<script type="application/json" id="data">${embedJson(describePage(picture, frame))}</script>\n`;
  yield `<script>${PAGE_SCRIPT}</script>\n</body>\n</html>\n`;
}

function* drawFigure({ title, panels }: Picture, frame: Frame): Generator<string> {
  const { width, height } = frame;
  const label = `${title}: the arrow keys show the values at one time after the other`;
  yield "<figure>\n";
  yield openElement("svg", {
    id: "chart",
    viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
    role: "img",
    "aria-label": label,
    tabindex: "0",
    "font-size": FONT,
  });
  yield* paintPlots(frame);
  if (panels.length === 0) yield* paintEmpty({ x: 0, y: 0, width, height }, "no data");
  const last = frame.plots.at(-1)?.box;
  const ends = { y1: frame.plots[0]?.box.y ?? 0, y2: last ? last.y + last.height : 0 };
  yield element("line", { id: "cursor", class: "axis", ...ends, visibility: "hidden", "pointer-events": "none" });
  yield '</svg>\n<div id="tip" role="status" hidden></div>\n</figure>\n';
}

function drawTable(panel: Panel, index: number): string {
  const titles = listTitles(panel);
  const head = ["series", ...titles].map((title) => element("th", { scope: "col" }, title)).join("");
  const rows = orderLegend(panel).map((series) => {
    const place = { "data-panel": index, "data-series": panel.series.indexOf(series) };
    const rect = element("rect", { width: 11, height: 11, rx: 2, fill: series.colour });
    const swatch = element("svg", { width: 11, height: 11, "aria-hidden": "true" }, rect);
    const button = element("button", { type: "button", "aria-pressed": "true", ...place }, swatch + escapeMarkup(series.name));
    const cells = printFigures(series).slice(0, titles.length);
    return `<tr>${element("th", { scope: "row" }, button)}${cells.map((cell) => element("td", {}, cell)).join("")}</tr>\n`;
  });
  const caption = element("caption", {}, escapeMarkup(`${panel.title} (${panel.unit})`));
  return `<table>${caption}<thead><tr>${head}</tr></thead>\n<tbody>${rows.join("")}</tbody></table>\n`;
}

/** Nothing is loaded, and nothing runs but what is written here. */
function writePolicy(style: string): string {
  const allow = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return `default-src 'none'; style-src ${allow(style)}; script-src ${allow(PAGE_SCRIPT)}; base-uri 'none'; form-action 'none'`;
}

/** No text of the data can end the element, whatever it holds. */
function embedJson(data: unknown): string {
  return JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
