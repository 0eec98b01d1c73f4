import stringWidth from "string-width";

/** Longer than any terminal is wide, and too long for `stringWidth`, which is quadratic. */
const MAX_MEASURED = 2000;

/** The cells that a text takes in a terminal; of a very long one, its length. */
export function measureCells(text: string): number {
  return text.length > MAX_MEASURED ? text.length : stringWidth(text);
}
