/** JSON with every number kept as the service spelled it: `40.00` stays `40.00`, and no digit is lost past a double. */
import { constants, isUtf8 } from "node:buffer";
import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { messageOf } from "./errors.ts";
import { formatNumber } from "./numbers.ts";

export type Json = string | boolean | null | LosslessNumber | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** @throws {SyntaxError} when the text is not JSON; {RangeError} when it is nested too deeply. */
export function parseJson(text: string): Json {
  const json = parse(stripMark(text)) as Json;
  checkDepth(json, MAX_DEPTH);
  return json;
}

/** What is parsed must also be walked and printed within the stack. */
function checkDepth(json: Json, levels: number): void {
  if (typeof json !== "object" || json === null || isLosslessNumber(json)) return;
  if (levels === 0) throw new RangeError("nested too deeply");
  for (const value of Array.isArray(json) ? (json as readonly Json[]) : Object.values(json)) checkDepth(value, levels - 1);
}

function stripMark(text: string): string {
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** What is wrong with text that is not JSON: it ends early, or is something else from its start, or breaks in between. */
export type JsonFault = "incomplete" | "foreign" | "invalid";

export class JsonError extends SyntaxError {
  override readonly name = "JsonError";
  readonly fault: JsonFault;
  /** The first characters of the text. */
  readonly start: string;

  constructor(fault: JsonFault, message: string, { start, cause }: { readonly start: string; readonly cause?: unknown }) {
    super(message, { cause });
    this.fault = fault;
    this.start = start;
  }
}

/** The JSON in bytes of UTF-8. @throws {JsonError} */
export function parseJsonBytes(bytes: Buffer): Json {
  const start = bytes.toString("utf8", 0, START_LENGTH);
  if (/^\s*</.test(start)) throw new JsonError("foreign", "it is a page", { start });
  if (!isUtf8(bytes)) throw notUtf8(bytes, start);
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new JsonError("invalid", `${formatNumber(bytes.length)} bytes are too many to read in this form`, { start });
  }
  const text = stripMark(bytes.toString("utf8"));
  try {
    return parseJson(text);
  } catch (cause) {
    throw describeFault(cause, text, start);
  }
}

function notUtf8(bytes: Buffer, start: string): JsonError {
  const at = findInvalid(bytes);
  try {
    // As a stream, a character may be cut off at the end.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(at), { stream: true });
    return new JsonError("incomplete", "it ends inside a character", { start });
  } catch (cause) {
    return new JsonError("invalid", `it is not UTF-8 text near byte ${at}`, { start, cause });
  }
}

/** The start of a character, at most four bytes before the first that is not UTF-8. */
function findInvalid(bytes: Buffer): number {
  let [from, to] = [0, bytes.length];
  while (to - from > 4) {
    let middle = (from + to) >> 1;
    while (middle > from && ((bytes[middle] as number) & 0xc0) === 0x80) middle--;
    if (middle === from) return from;
    if (isUtf8(bytes.subarray(from, middle))) from = middle;
    else to = middle;
  }
  return from;
}

/** Where the text breaks, or that it ends early. */
function describeFault(cause: unknown, text: string, start: string): JsonError {
  if (cause instanceof RangeError) return new JsonError("invalid", "it is nested too deeply", { start, cause });
  const message = messageOf(cause);
  const rest = text.slice(Number(/at position (\d+)$/.exec(message)?.[1]));
  const endsEarly = ["true", "false", "null"].some((word) => word.startsWith(rest)) || /^\\(u[\da-f]{0,3})?$/i.test(rest);
  const startsLikeJson = /^\s*([[{\0]|$)/.test(start);
  return new JsonError(!startsLikeJson ? "foreign" : endsEarly ? "incomplete" : "invalid", message, { start, cause });
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

/** An envelope has eight levels. */
const MAX_DEPTH = 100;
const START_LENGTH = 4096;
const BYTE_ORDER_MARK = 0xfeff;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u007f-\u009f]/g;
