/** JSON with every number kept as the service spelled it: `40.00` stays `40.00`, and no digit is lost past a double. */
import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { formatNumber } from "./phrases.ts";

export type Json = string | boolean | null | LosslessNumber | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** Far more than any answer has; far less than the stack of a recursive parser, and what memory holds, allow. */
export const MAX_DEPTH = 500;
export const MAX_VALUES = 10_000_000;
export const MAX_TEXT = 10_000_000;

/** @throws {SyntaxError} when the text is not JSON; {RangeError} when it takes too much stack or memory. */
export function parseJson(text: string): Json {
  const excess = findExcess(text);
  if (excess !== undefined) throw new RangeError(excess);
  return parse(stripMark(text)) as Json;
}

export function stripMark(text: string): string {
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** Counts brackets and commas outside strings. */
function findExcess(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const start = at;
      at = findStringEnd(text, at);
      if (at - start > MAX_TEXT) return `it has a text of more than ${formatNumber(MAX_TEXT)} characters`;
    } else if (code === COMMA) values++;
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((code | 0x20) === OPEN_BRACE) {
      values++;
      if (++depth > MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} levels deep`;
    } else if ((code | 0x20) === CLOSE_BRACE) depth--;
    if (values > MAX_VALUES) return `it has more than ${formatNumber(MAX_VALUES)} values`;
  }
  return undefined;
}

/** The index of the closing quote, or the text's length. */
function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    if (!isEscaped(text, at)) return at;
  }
}

/** Whether an odd number of backslashes stands before a character. */
export function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}

/** A value's JSON text; control characters, DEL and C1 among them, are escaped. */
export function toJsonText(value: Json, indent?: number): string {
  return escapeRawControls(stringify(value, undefined, indent) ?? "null");
}

/** Escapes the control characters that JSON allows in strings, since a terminal acts on them. */
function escapeRawControls(json: string): string {
  return json.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** The type of a value, for messages: `an array`, `null`. */
export function describeJson(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (isLosslessNumber(value)) return "a number";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export { isLosslessNumber, LosslessNumber };

const BYTE_ORDER_MARK = 0xfeff;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
const BACKSLASH = 0x5c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u007f-\u009f]/g;
