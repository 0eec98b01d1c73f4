/** Elements and attributes of SVG and HTML. */
import { measureCells } from "../../text-width.ts";

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** `content` must be markup already. */
export function element(name: string, attributes: Attributes, content = ""): string {
  const start = `<${name}${printAttributes(attributes)}`;
  return content === "" ? `${start}/>` : `${start}>${content}</${name}>`;
}

export function openElement(name: string, attributes: Attributes): string {
  return `<${name}${printAttributes(attributes)}>`;
}

function printAttributes(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) =>
      value === undefined ? "" : ` ${name}="${typeof value === "number" ? round(value) : escapeMarkup(value)}"`,
    )
    .join("");
}

/** Rounds to a tenth of a pixel; finer differences cannot be seen. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for an element or an attribute; characters that XML does not allow are replaced. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, "\ufffd")
    .replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** Sizes of text, in pixels. */
export interface TextSizes {
  readonly font: number;
  readonly title: number;
  /** Distance between two lines. */
  readonly line: number;
  /** Width of a usual character. */
  readonly character: number;
  /** Width of the colour mark before a name. */
  readonly swatch: number;
}

const CHARACTER = 0.6;

export const LARGE_TEXT: TextSizes = { font: 12, title: 20, line: 18, character: 12 * CHARACTER, swatch: 18 };
export const SMALL_TEXT: TextSizes = { font: 10, title: 14, line: 13, character: 10 * CHARACTER, swatch: 14 };

/**
 * Widths of characters that are far from usual, as parts of the font size: rounded up from the widest of common system
 * fonts.
 */
const WIDTHS: readonly (readonly [characters: RegExp, width: number])[] = [
  [/[iljI.,:;'|!]/g, 0.34],
  [/[tfr() [\]-]/g, 0.42],
  [/[mw%]/g, 0.94],
  [/[MWO@Q]/g, 0.92],
  [/[A-HJ-LNPR-VX-Z]/g, 0.7],
];

/** The width of a text in pixels, as an estimate: the viewer chooses the font. */
export function measureText(text: string, font: number): number {
  let rest = text;
  let width = 0;
  for (const [characters, part] of WIDTHS) {
    const left = rest.replace(characters, "");
    width += (rest.length - left.length) * part;
    rest = left;
  }
  const cells = /^[\x20-\x7e]*$/.test(rest) ? rest.length : measureCells(rest);
  return (width + cells * CHARACTER) * font;
}

/** The width of the longest text. */
export function measureTexts(texts: readonly string[], { font }: TextSizes): number {
  return Math.max(0, ...texts.map((text) => measureText(text, font)));
}
