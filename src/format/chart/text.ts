/** Text in a terminal's cells. */
import { escapeControls } from "../../base/terminal.ts";
import { measureCells } from "../text-width.ts";

/** ASCII, and what charts are drawn of (box drawing, blocks, a square, braille): each takes one cell. */
const NARROW = /^[\x20-\x7e\u2500-\u25a0\u2800-\u28ff]*$/;

export function measureText(text: string): number {
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
export function cutText(text: string, width: number): string {
  if (measureText(text) <= width) return text;
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
