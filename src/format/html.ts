/** html: the picture as a self-contained page that needs no network. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { joinTexts } from "./format.ts";
import { layOutPlots } from "./picture/svg/frame.ts";
import type { SvgFrame, PlotFrame } from "./picture/svg/page.ts";
import { listLegendFigures, listLegend, orderLegend } from "./picture/model/legend.ts";
import { LARGE_TEXT, element, escapeMarkup, openElement, round } from "./picture/svg/markup.ts";
import { DASH_SAMPLE, FONTS, paintEmpty, paintHatches, paintPlots, paintSwatch } from "./picture/svg/svg.ts";
import { condenseFor } from "./picture/svg/placement.ts";
import type { Panel, Picture, TimeAxis } from "./picture/model/picture.ts";
import { type DrawContext, createPictureFormat } from "./picture/picture-format.ts";
import { lighten } from "./picture/model/colours.ts";
import { max } from "d3-array";
import { isNamed, nameInterval } from "../time/interval-names.ts";
import { measureTimestamps } from "./table/timestamps.ts";
import { stackMarks } from "./picture/svg/marks.ts";
import type { Scale } from "./picture/model/scales.ts";
import type { PackedTimes, PageData, PagePanel, PagePlot, ScaleSpan } from "./picture/page/page-data.ts";

export const html = createPictureFormat((picture, painting) => joinTexts(writeDocument(picture, painting)));

/** picture/page/browser, as built: two folders above this module both in src and in dist. */
const PAGE_SCRIPT = new URL("../../dist/page.js", import.meta.url);

const VIEWS = ["wide", "middle", "narrow"];

/** Sizes of the drawing on narrow screens and on phones, where text keeps its size. */
const NARROWER = [
  { width: 640, height: 420 },
  { width: 400, height: 320 },
];

function* writeDocument(picture: Picture, { options, provenance }: DrawContext): Generator<string> {
  const { panels, isSplit } = picture;
  const rows = isSplit ? Math.ceil(panels.length / 2) : panels.length;
  const narrower = NARROWER.map(({ width, height }) => ({ width, height: Math.max(height, 200 * rows) }));
  const drawn = condenseFor(options, picture);
  const views = [options, ...narrower].map((size) => layOutPlots(drawn, size));
  const style = styleOf(picture);
  const script = readFileSync(PAGE_SCRIPT, "utf8");
  yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n';
  yield `${openElement("meta", { "http-equiv": "Content-Security-Policy", content: writePolicy(style, script) })}\n`;
  yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n';
  yield `<title>${escapeMarkup(picture.title)}</title>\n<style>${style}</style>\n</head>\n<body>\n<main>\n`;
  yield `<h1>${escapeMarkup(picture.title)}</h1>\n<p>${escapeMarkup(picture.subtitle)}</p>\n<div class="sheet">\n<figure>\n`;
  // In a drawing of its own, as one of a view that is not displayed would not be found.
  const hatches = [...paintHatches(panels)].join("");
  if (hatches !== "") yield element("svg", { class: "hatches", "aria-hidden": "true" }, hatches);
  for (const [index, view] of views.entries()) yield* drawView(picture, view, index);
  yield '<div id="tip" role="status" hidden></div>\n</figure>\n<div class="tables">\n';
  const listed = picture.sharesLegend && isSplit ? panels.slice(0, 1) : panels;
  for (const panel of listed) if (panel.series.length > 1 || !isSplit) yield drawTable(picture, panel);
  yield "</div>\n</div>\n";
  for (const note of [...drawn.notes, ...drawn.remarks]) yield element("p", {}, escapeMarkup(note));
  if (provenance) {
    const made = `${picture.source}; ${provenance.command} (ents ${provenance.version}, ${provenance.service})`;
    yield `\n${element("footer", {}, escapeMarkup(made))}`;
  }
  yield `\n</main>\n<script type="application/json" id="data">${embedJson(describePage(picture, views))}</script>\n`;
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}

function* drawView({ title, panels, time }: Picture, frame: SvgFrame, index: number): Generator<string> {
  const { width, height, sizes } = frame;
  yield openElement("svg", {
    class: `view ${VIEWS[index]}`,
    "data-view": index,
    viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
    role: "img",
    "aria-label": `${title}: the arrow keys show the values at one time after the other`,
    tabindex: "0",
    "font-size": Math.max(sizes.font, LARGE_TEXT.font - 1),
  });
  yield* paintPlots(frame, time, true);
  if (panels.length === 0) yield* paintEmpty({ x: 0, y: 0, width, height }, "no data");
  yield "</svg>\n";
}

function drawTable(picture: Picture, panel: Panel): string {
  const index = picture.panels.indexOf(panel);
  const hasFigures = !(picture.isSplit && picture.sharesLegend);
  const titles = hasFigures ? listLegendFigures(panel) : [];
  const head = ["series", ...titles].map((title) => element("th", { scope: "col" }, title)).join("");
  const rows = listLegend(panel, titles, { fits: () => true }).map(({ series, name, figures }) => {
    const place = { "data-panel": index, "data-series": panel.series.indexOf(series) };
    const width = series.dash === undefined ? SWATCH : DASH_SAMPLE;
    const mark = paintSwatch(series, { x: 0, y: 0, size: SWATCH, ...place });
    const swatch = element("svg", { width, height: SWATCH, "aria-hidden": "true" }, mark);
    const button = element("button", { type: "button", "aria-pressed": "true", ...place }, swatch + escapeMarkup(name));
    return `<tr>${element("th", { scope: "row" }, button)}${figures.map((cell) => element("td", {}, cell)).join("")}</tr>\n`;
  });
  if (!hasFigures) return `<table><tbody>${rows.join("")}</tbody></table>\n`;
  const caption = element("caption", {}, escapeMarkup(`${panel.title} (${panel.unit})`));
  return `<table>${caption}<thead><tr>${head}</tr></thead>\n<tbody>${rows.join("")}</tbody></table>\n`;
}

/** In pixels. */
const SWATCH = 11;

/** Content security policy: nothing is loaded, and only the page's own style and script are allowed. */
function writePolicy(style: string, script: string): string {
  const allow = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return `default-src 'none'; style-src ${allow(style)}; script-src ${allow(script)}; base-uri 'none'; form-action 'none'`;
}

/** Escapes JSON so that no text in the data can close the element. */
function embedJson(data: unknown): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Style sheet of a page; on a dark page, dark series are lightened. */
function styleOf({ panels }: Picture): string {
  const colours = panels.flatMap(({ series, mark }, panel) =>
    series.map(({ colour, hatch }, index) => {
      // Its lines are seen on any page.
      if (hatch) return "";
      const place = `[data-panel="${panel}"][data-series="${index}"]`;
      const inside = `[data-panel="${panel}"] [data-series="${index}"]`;
      const light = lighten(colour);
      const paint = mark === "line" ? `stroke:${light}` : `fill:${light};stroke:${light}`;
      return light === colour
        ? ""
        : `${inside} path{${paint}}${inside}.range,rect${place}{fill:${light}}path${place}{stroke:${light}}`;
    }),
  );
  return `${STYLE}@media (prefers-color-scheme:dark){${DARK}${colours.join("")}}`;
}

const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#24292f;--muted:#57606a;--grid:#e4e7eb;--axis:#8c959f;--lift:#f6f8fa}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.45 ${FONTS}}
main{max-width:1400px;margin:0 auto;padding:20px}
h1{font-size:22px;margin:0}
p,footer{color:var(--muted);margin:4px 0 12px}
.sheet{display:flex;flex-wrap:wrap;gap:20px;align-items:flex-start}
figure{position:relative;margin:0;flex:3 1 900px;min-width:0}
.view{display:block;width:100%;height:auto;touch-action:pan-y}
.middle,.narrow{display:none}
@media screen and (max-width:980px){.wide{display:none}.middle{display:block}}
@media screen and (max-width:640px){.middle{display:none}.narrow{display:block}main{padding:12px}h1{font-size:18px}}
:focus-visible{outline:2px solid #0969da;outline-offset:2px}
.tables{flex:1 1 max-content;max-width:100%;overflow-x:auto;display:flex;flex-wrap:wrap;gap:0 40px}
.ink{fill:var(--ink)}.muted{fill:var(--muted)}.grid{stroke:var(--grid)}.axis{stroke:var(--axis)}.veil{fill:var(--paper)}.spike{fill:var(--ink)}
[hidden]{display:none}
.hatches{position:absolute;width:0;height:0}
table{border-collapse:collapse;flex:1 1 280px;margin-bottom:16px}
caption{text-align:left;font-weight:600;padding-bottom:4px}
th{font-weight:400;text-align:left}
thead th{color:var(--muted)}
td,thead th+th{text-align:right;padding-left:10px;font-variant-numeric:tabular-nums;white-space:nowrap}
tbody tr:hover{background:var(--lift)}
button{all:unset;display:flex;align-items:baseline;cursor:pointer;padding:1px 2px}
button:focus-visible{outline:2px solid #0969da}
button svg,#tip svg{flex:none;margin-right:6px}
button[aria-pressed=false]{opacity:.45;text-decoration:line-through}
#tip{position:absolute;pointer-events:none;background:var(--paper);border:1px solid var(--axis);border-radius:6px;padding:6px 9px;box-shadow:0 2px 8px #0003;font-size:12px;max-width:340px;z-index:1}
#tip div{display:flex;align-items:baseline}
#tip span{flex:1;overflow-wrap:anywhere}
#tip b{font-weight:600;margin-left:14px;font-variant-numeric:tabular-nums}
#tip .total{border-top:1px solid var(--grid);margin-top:3px;padding-top:3px}
footer{font-size:12px;overflow-wrap:anywhere}
@media print{main{padding:0;max-width:none}.sheet{display:block}figure,table,tr{break-inside:avoid}.tables{columns:2}*{print-color-adjust:exact}}
`;

const DARK = `:root{--paper:#1b1f24;--ink:#e6edf3;--muted:#9da7b1;--grid:#30363d;--axis:#6e7681;--lift:#262c33}`;

function describePage({ time, panels, sharesLegend, isSplit }: Picture, views: readonly SvgFrame[]): PageData {
  const distinct: Float64Array[] = [];
  return {
    sharesLegend: sharesLegend && isSplit,
    clock: listOffsets(panels, time),
    timeLength: measureTimestamps(time.domain.map(time.toWallClock), time.interval),
    names: nameInstants(panels, time),
    panels: panels.map((panel) => describePanel(panel, distinct)),
    times: distinct.map(packTimes),
    views: views.map(({ plots }) => ({ plots: plots.map(describePlot) })),
  };
}

/** Adds new lists of times to `distinct`; each series refers to its list by index. */
function describePanel(panel: Panel, distinct: Float64Array[]): PagePanel {
  const { unit, mark, series } = panel;
  return {
    unit,
    digits: countDigits(panel),
    isColumns: mark === "column",
    isLinear: panel.yScale === "linear",
    addsUp: mark !== "line",
    order: orderLegend(panel).map((entry) => series.indexOf(entry)),
    series: series.map(({ name, times, values }) => ({
      name,
      times: indexTimes(times, distinct),
      values: toNumbers(values),
    })),
  };
}

const MAX_DIGITS = 3;
/** Digits of the largest value that are enough. */
const ENOUGH = 5;

/**
 * Decimals of all values of a panel: those of the value that needs most, up to a thousandth, and fewer if values are
 * large.
 */
function countDigits({ series }: Panel): number {
  const largest = max(series, ({ values }) => max(values, Math.abs)) ?? 0;
  const most = Math.min(MAX_DIGITS, Math.max(0, ENOUGH - 1 - Math.floor(Math.log10(largest || 1))));
  const isExact = (digits: number) =>
    series.every(({ values }) => values.every((value) => Number.isNaN(value) || hasDigits(value, digits)));
  for (let digits = 0; digits < most; digits++) if (isExact(digits)) return digits;
  return most;
}

function hasDigits(value: number, digits: number): boolean {
  const scaled = value * 10 ** digits;
  return Math.abs(scaled - Math.round(scaled)) < 1e-9 * Math.max(1, Math.abs(scaled));
}

function describePlot(plot: PlotFrame): PagePlot {
  const { panel, box, markX: x, y, valueTicks } = plot;
  const stacked = panel.mark === "line" ? undefined : stackMarks(plot);
  return {
    left: box.x,
    width: box.width,
    top: box.y,
    height: box.height,
    x: spanOf(x),
    y: spanOf(y),
    ticks: Math.max(2, valueTicks.length),
    stack: stacked && {
      starts: Array.from(stacked.times, (time) => round(x(time))),
      ends: Array.from(stacked.ends ?? [], (time) => round(x(time))),
      values: stacked.layers.map(({ values }) => toNumbers(values)),
    },
  };
}

function spanOf(scale: Scale): ScaleSpan {
  const [[first = 0, second = 1], [from = 0, to = 0]] = [scale.domain(), scale.range()];
  return [first, second, from, to];
}

function indexTimes(times: Float64Array, distinct: Float64Array[]): number {
  const index = distinct.findIndex(
    (known) => known.length === times.length && known.every((time, at) => time === times[at]),
  );
  return index < 0 ? distinct.push(times) - 1 : index;
}

/** Nine decimals are exact for what services send, and leave out the noise of a division. */
function toNumbers(values: Float64Array): (number | null)[] {
  return Array.from(values, (value) => (Number.isNaN(value) ? null : Math.round(value * NOISE) / NOISE));
}

const NOISE = 1e9;

function packTimes(times: Float64Array): PackedTimes {
  const runs: [step: number, count: number][] = [];
  for (let index = 1; index < times.length; index++) {
    const step = (times[index] as number) - (times[index - 1] as number);
    const run = runs.at(-1);
    if (run?.[0] === step) run[1]++;
    else runs.push([step, 1]);
  }
  return [times[0] ?? 0, ...runs];
}

function nameInstants(panels: readonly Panel[], { toWallClock, interval, other }: TimeAxis): PageData["names"] {
  const times =
    isNamed(interval) || other ? panels.flatMap(({ series }) => series.flatMap((member) => [...member.times])) : [];
  const named = times.flatMap((time) => {
    const name = other?.print(toWallClock(time)) ?? nameInterval(interval, toWallClock(time));
    return name === undefined ? [] : [[time, name] as const];
  });
  return Object.fromEntries(named);
}

/**
 * Lists the UTC offsets of the wall clock: each applies from an instant on, in milliseconds ahead of UTC. Daylight
 * saving changes it.
 */
function listOffsets(panels: readonly Panel[], { toWallClock }: TimeAxis): [from: number, ahead: number][] {
  const times = new Set(panels.flatMap(({ series }) => series.flatMap((member) => [...member.times])));
  const offsets: [from: number, ahead: number][] = [];
  for (const time of [...times].sort((a, b) => a - b)) {
    const ahead = toWallClock(time) - time;
    if (offsets.at(-1)?.[1] !== ahead) offsets.push([time, ahead]);
  }
  return offsets;
}
