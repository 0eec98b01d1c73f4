/** JSON with every number kept as the service spelled it: `40.00` stays `40.00`, and no digit is lost past a double. */
import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { EntsError } from "./errors.ts";

export type Json = string | boolean | null | LosslessNumber | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** Far more than any answer has, and far less than the stack of a recursive parser or printer. */
const MAX_DEPTH = 500;

/** @throws {SyntaxError} when the text is not JSON; {EntsError} refused: nested too deeply. */
export function parseJson(text: string): Json {
  if (isTooDeep(text)) throw new EntsError("refused", `the service's answer nests JSON more than ${MAX_DEPTH} levels deep`);
  return parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text) as Json;
}

/** Counts brackets outside strings. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inString = !inString;
    else if (inString) at += code === BACKSLASH ? 1 : 0;
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((code | 0x20) === OPEN_BRACE && ++depth > MAX_DEPTH) return true;
    else if ((code | 0x20) === CLOSE_BRACE) depth--;
  }
  return false;
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
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u007f-\u009f]/g;
