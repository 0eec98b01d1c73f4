/** Text in a terminal's cells. */
import { format } from "d3-format";
import { escapeControls } from "../../../base/terminal.ts";
import { measureCells } from "../../text-width.ts";
import { type Tick } from "../model/scales.ts";
import { printFigure } from "../model/legend.ts";

/** ASCII, and what charts are drawn of (box drawing, blocks, a square, braille): each takes one cell. */
const NARROW = /^[\x20-\x7e\u2500-\u25a0\u2800-\u28ff]*$/;

export function measureChartText(text: string): number {
  return NARROW.test(text) ? text.length : measureCells(text);
}

/** The characters of a text that take cells, with how many (1 or 2). */
export function splitCells(text: string): { readonly text: string; readonly width: number }[] {
  if (NARROW.test(text)) return Array.from(text, (character) => ({ text: character, width: 1 }));
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => ({
    text: segment,
    width: Math.min(measureCells(segment), 2),
  })).filter(({ width }) => width > 0);
}

const CUT = "...";

/** As much of a text as so many cells hold. */
export function fitCells(text: string, width: number): string {
  if (measureChartText(text) <= width) return text;
  let start = "";
  let used = CUT.length;
  for (const cell of splitCells(text)) {
    used += cell.width;
    if (used > width) break;
    start += cell.text;
  }
  return start + CUT;
}

/** Untrusted text that a terminal may be given: without control characters, and in ASCII where it shows no other. */
export function toShownText(text: string, unicode: boolean): string {
  return escapeControls(unicode ? text : toAscii(text));
}

function toAscii(text: string): string {
  return text
    .replace(/[\u2010-\u2015\u2212\u00b7]/g, "-")
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .replace(/[^\u0000-\u007f]/gu, "?");
}

/** Numbers where there is little room. */
const printSuffixed = format(".3s");
const printRoundSuffixed = format(".3~s");

/** From here on a number is shortened: `12,345` to `12.3k`. */
const LARGE = 10_000;
/** Characters of a tick's text. */
const LONG = 7;

/** `10.2M`; smaller numbers in full. */
export function printCompact(value: number | undefined): string {
  return value === undefined || Math.abs(value) < LARGE ? printFigure(value) : toPlain(printSuffixed(value));
}

/** Ticks with suffixes where their texts are long, unless two of them became the same. */
export function shortenTicks(ticks: readonly Tick[]): readonly Tick[] {
  if (ticks.every(({ text }) => text.length <= LONG)) return ticks;
  const shorter = ticks.map(({ at }) => ({ at, text: toPlain(printRoundSuffixed(at)) }));
  return new Set(shorter.map(({ text }) => text)).size === ticks.length ? shorter : ticks;
}

/** With a hyphen for the minus sign, and `B` for a billion, which is no unit's prefix here. */
function toPlain(number: string): string {
  return number.replace("\u2212", "-").replace("G", "B");
}
