import stringWidth from "string-width";
import { withoutRed, wrapMessage } from "../base/terminal.ts";

/** Longer than any terminal is wide; `stringWidth` is quadratic and would be too slow. */
const MAX_MEASURED = 2000;
/** Text whose width is its length: ASCII, and the dash for a null. */
const PLAIN = /^[\x20-\x7e\u2013]*$/;

/** The text for a value that is null or missing. */
export function noValueText(unicode: boolean): string {
  return unicode ? "–" : "-";
}

/** Width of a text in terminal cells; for a very long text, its length. */
export function measureCells(text: string): number {
  return measurePlain(text) ?? (text.length > MAX_MEASURED ? text.length : stringWidth(text));
}

/** Width of plain text, the usual case, for which `stringWidth` is slow; undefined for other text. */
export function measurePlain(text: string): number | undefined {
  const bare = withoutRed(text);
  return PLAIN.test(bare) ? bare.length : undefined;
}

/** Joins items to lines; an item is broken only if it is longer than a line. */
export function joinItems(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.at(-1);
    // Room for a comma after the item.
    if (line === undefined || measureCells(`${line}, ${item},`) > width) lines.push(item);
    else lines[lines.length - 1] = `${line}, ${item}`;
  }
  const punctuated = lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line));
  return punctuated.flatMap((line) => wrapMessage(line, width));
}
