/** A grid of a terminal's cells, as many rows as are written. */
import { splitCells } from "./text.ts";

interface Cell {
  /** Empty for the second cell of a wide character. */
  readonly text: string;
  /** SGR parameters; empty for none. */
  readonly style: string;
}

export interface StyledText {
  readonly text: string;
  readonly style?: string | undefined;
}

const BLANK: Cell = { text: " ", style: "" };

export class CellGrid {
  readonly width: number;
  readonly #rows: Cell[][] = [];

  constructor(width: number) {
    this.width = width;
  }

  /** Writes text from a cell to the right; what is beyond the width is left out. */
  write(x: number, y: number, { text, style = "" }: StyledText): void {
    while (this.#rows.length <= y) this.#rows.push(new Array<Cell>(this.width).fill(BLANK));
    const row = this.#rows[y] as Cell[];
    let at = x;
    for (const { text: character, width } of splitCells(text)) {
      if (at >= 0 && at + width <= this.width) {
        row[at] = { text: character, style };
        if (width === 2) row[at + 1] = { text: "", style };
      }
      at += width;
    }
  }

  /** The lines, without blanks at their ends. */
  *lines(): Generator<string> {
    for (const row of this.#rows) {
      const end = row.findLastIndex(({ text, style }) => text !== " " || style !== "");
      let line = "";
      let last = "";
      for (const { text, style } of row.slice(0, end + 1)) {
        if (style !== last) line += `${last === "" ? "" : RESET}${style === "" ? "" : `\u001b[${style}m`}`;
        last = style;
        line += text;
      }
      yield last === "" ? line : line + RESET;
    }
  }
}

const RESET = "\u001b[0m";
