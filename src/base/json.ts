/** JSON with every number kept as the service spelled it: `40.00` stays `40.00`, and no digit is lost past a double. */
import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";

export type Json = string | boolean | null | LosslessNumber | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** @throws {SyntaxError} when the text is not JSON. */
export function parseJson(text: string): Json {
  return parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text) as Json;
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
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u007f-\u009f]/g;
