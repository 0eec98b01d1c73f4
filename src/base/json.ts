/**
 * JSON whose numbers keep the service's spelling: `40.00` stays `40.00`, and digits beyond a double's precision are
 * kept.
 */
import { stripMark } from "./text-encoding.ts";
import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { formatNumber } from "./phrases.ts";

export type Json = string | boolean | null | LosslessNumber | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** Limits far above any real response, and far below what a recursive parser's stack and memory can take. */
const MAX_DEPTH = 500;
const MAX_VALUES = 5_000_000;
const MAX_TEXT = 10_000_000;

/** @throws {SyntaxError} if the text is not JSON; {RangeError} if it would take too much stack or memory. */
export function parseJson(text: string): Json {
  const excess = findExcess(text);
  if (excess !== undefined) throw new RangeError(excess);
  return parse(stripMark(text)) as Json;
}

/** Names the limit that a text exceeds, by counting brackets and commas outside strings; undefined if none. */
function findExcess(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const start = at;
      at = findStringEnd(text, at);
      if (at - start > MAX_TEXT) return `it has a string of more than ${formatNumber(MAX_TEXT)} characters`;
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

function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    if (!isEscaped(text, at)) return at;
  }
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}

/** A value's JSON text, with all control characters escaped, including DEL and C1. */
export function toJsonText(value: Json, indent?: number): string {
  const json = stringify(value, undefined, indent) ?? "null";
  // JSON allows them in strings, but a terminal acts on them.
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

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose
const CONTROLS = /[\u007f-\u009f]/g;
