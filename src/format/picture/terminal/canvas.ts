/** A grid of terminal cells that grows as rows are written. */
import { splitCells } from "./text.ts";

export interface StyledText {
  readonly text: string;
  /** SGR parameters. */
  readonly style?: string | undefined;
}

/** The second cell of a wide character has empty text. */
interface Glyph {
  readonly text: string;
  readonly style: string;
}

export const SGR = { bold: "1", dim: "2", inverse: "7" };

const BLANK: Glyph = { text: " ", style: "" };

export class CellGrid {
  readonly width: number;
  readonly #isStyled: boolean;
  readonly #rows: Glyph[][] = [];

  constructor(width: number, isStyled = true) {
    this.width = width;
    this.#isStyled = isStyled;
  }

  /** Writes text to the right of a cell; text beyond the width is dropped. */
  write(x: number, y: number, { text, style: wanted = "" }: StyledText): void {
    const style = this.#isStyled ? wanted : "";
    while (this.#rows.length <= y) this.#rows.push(new Array<Glyph>(this.width).fill(BLANK));
    const row = this.#rows[y] as Glyph[];
    let at = x;
    for (const { text: character, width } of splitCells(text)) {
      if (at >= 0 && at + width <= this.width) {
        row[at] = { text: character, style };
        if (width === 2) row[at + 1] = { text: "", style };
      }
      at += width;
    }
  }

  isBlank(x: number, y: number): boolean {
    return this.#rows[y]?.[x]?.text === " ";
  }

  /** Yields the lines without trailing blanks. */
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
