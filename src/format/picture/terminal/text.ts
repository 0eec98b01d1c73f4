/** Text in terminal cells. */
import { format } from "d3-format";
import { escapeControls } from "../../../base/terminal.ts";
import { measureCells } from "../../text-width.ts";
import { printFigure, toHyphen } from "../model/legend.ts";
import type { Tick } from "../model/scales.ts";

/** ASCII and the characters that charts use (box drawing, blocks, a square, braille): each takes one cell. */
const NARROW = /^[\x20-\x7e\u2500-\u25a0\u2800-\u28ff]*$/;

export function measureChartText(text: string): number {
  return NARROW.test(text) ? text.length : measureCells(text);
}

/** Splits a text into characters with their width in cells (1 or 2). */
export function splitCells(text: string): { readonly text: string; readonly width: number }[] {
  if (NARROW.test(text)) return Array.from(text, (character) => ({ text: character, width: 1 }));
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => ({
    text: segment,
    width: Math.min(measureCells(segment), 2),
  })).filter(({ width }) => width > 0);
}

/** Makes untrusted text safe for a terminal: without control characters, and in ASCII if it shows nothing else. */
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

const printSuffixed = format(".3s");
const printRoundSuffixed = format(".3~s");

/** Numbers from here on are shortened: `12,345` to `12.3k`. */
const LARGE = 10_000;
/** Ticks are shortened if one has more characters than this. */
const LONG = 7;

/** `10.2M`; smaller numbers are printed in full. */
export function printCompact(value: number | undefined): string {
  return value === undefined || Math.abs(value) < LARGE ? printFigure(value) : toPlain(printSuffixed(value));
}

/** Prints ticks with suffixes if their texts are long, unless two of them would become the same. */
export function shortenTicks(ticks: readonly Tick[]): readonly Tick[] {
  if (ticks.every(({ text }) => text.length <= LONG)) return ticks;
  const shorter = ticks.map(({ at }) => ({ at, text: toPlain(printRoundSuffixed(at)) }));
  return new Set(shorter.map(({ text }) => text)).size === ticks.length ? shorter : ticks;
}

/** Writes `B` for a billion: the suffix is not an SI prefix here. */
function toPlain(number: string): string {
  return toHyphen(number).replace("G", "B");
}
