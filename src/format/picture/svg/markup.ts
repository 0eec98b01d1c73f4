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
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${typeof value === "number" ? round(value) : escapeMarkup(value)}"`))
    .join("");
}

/** Rounds to a tenth of a pixel; finer differences cannot be seen. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for an element or an attribute; characters that XML does not allow are replaced. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, "\ufffd")
    .replace(/[&<>"']/g, (one) => ENTITIES[one] as string);
}

export const FONT = 12;
/** Distance between two lines of text. */
export const LINE = 18;
/** Width of a character: slightly more than the mean in most system fonts. */
export const CHARACTER = FONT * 0.56;
/** Width of the colour mark before a name. */
export const SWATCH = 18;

/** The width of the longest text. */
export function measureTexts(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => measureCells(text) * CHARACTER));
}

/** Cuts a text to fit a width in pixels. */
export function fitText(text: string, width: number): string {
  const fitting = Math.max(1, Math.floor(width / CHARACTER));
  if (text.length <= fitting) return text;
  const start = Array.from(text).slice(0, Math.max(1, fitting - 2));
  return `${start.join("")}...`;
}
