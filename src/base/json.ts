/** JSON with every number kept as the service spelled it: `40.00` stays `40.00`, and no digit is lost past a double. */
import { constants, isUtf8 } from "node:buffer";
import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { messageOf } from "./errors.ts";
import { formatNumber } from "./numbers.ts";

export type Json = string | boolean | null | LosslessNumber | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** Far more than any answer has; far less than the stack of a recursive parser, and what memory holds, allow. */
const MAX_DEPTH = 500;
const MAX_VALUES = 10_000_000;
const MAX_TEXT = 10_000_000;

/** @throws {SyntaxError} when the text is not JSON; {RangeError} when it takes too much stack or memory. */
export function parseJson(text: string): Json {
  const excess = findExcess(text);
  if (excess !== undefined) throw new RangeError(excess);
  return parse(stripMark(text)) as Json;
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
  if (cause instanceof RangeError) return new JsonError("invalid", messageOf(cause), { start, cause });
  const message = messageOf(cause);
  const rest = text.slice(Number(/at position (\d+)$/.exec(message)?.[1]));
  const endsEarly = ["true", "false", "null"].some((word) => word !== rest && word.startsWith(rest)) || /^\\(u[\da-f]{0,3})?$/i.test(rest);
  const startsLikeJson = /^\s*([[{\0]|$)/.test(start);
  return new JsonError(!startsLikeJson ? "foreign" : endsEarly ? "incomplete" : "invalid", message, { start, cause });
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
    let escapes = at;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((at - escapes) % 2 === 0) return at;
  }
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

const START_LENGTH = 4096;
const BYTE_ORDER_MARK = 0xfeff;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u007f-\u009f]/g;
