/** Parses the JSON of a response body, and says what is wrong with an invalid one. */
import { constants, isUtf8 } from "node:buffer";
import { messageOf } from "./errors.ts";
import { type Json, parseJson } from "./json.ts";
import { formatNumber } from "./phrases.ts";
import { stripMark } from "./text-encoding.ts";

export class JsonError extends SyntaxError {
  override readonly name = "JsonError";
  /**
   * `incomplete`: truncated. `foreign`: not JSON from its start. `invalid`: malformed further on. `excessive`: too
   * large or too deep. `packed`: still compressed, or other binary data. `blank`: a megabyte of white space.
   */
  readonly fault: "incomplete" | "foreign" | "invalid" | "excessive" | "packed" | "blank";
  readonly start: string;

  constructor(
    fault: JsonError["fault"],
    message: string,
    { start, cause }: { readonly start: string; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.fault = fault;
    this.start = start;
  }
}

/** Parses UTF-8 bytes as JSON. @throws {JsonError} */
export function parseJsonBytes(bytes: Buffer): Json {
  const start = bytes.toString("utf8", 0, START_LENGTH);
  if (/^\s*</.test(start)) throw new JsonError("foreign", "it is a page", { start });
  const packing = findPacking(bytes);
  if (packing !== undefined)
    throw new JsonError("packed", `the response is ${packing}, but does not say so`, { start: "" });
  if (isBlank(bytes)) throw blankBody();
  if (!isUtf8(bytes)) throw notUtf8(bytes, start);
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new JsonError("excessive", `${formatNumber(bytes.length)} bytes are too many to read in this form`, {
      start,
    });
  }
  const text = stripMark(bytes.toString("utf8"));
  try {
    return parseJson(text);
  } catch (cause) {
    throw describeFault(cause, text, start);
  }
}

export const MANY_BLANKS = 2 ** 20;
const BLANKS: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/** True if text begins with a megabyte of white space. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.length >= MANY_BLANKS && isOnlyBlank(bytes.subarray(0, MANY_BLANKS));
}

export function isOnlyBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => BLANKS.includes(byte));
}

export function blankBody(): JsonError {
  return new JsonError("blank", "the response begins with a megabyte of white space, so it is not JSON", { start: "" });
}

/** What data begin with that are packed in ways that HTTP and its proxies know. */
const PACKINGS: readonly (readonly [name: string, ...start: readonly number[]])[] = [
  ["compressed with gzip", 0x1f, 0x8b],
  ["compressed with zstd", 0x28, 0xb5, 0x2f, 0xfd],
  ["compressed with xz", 0xfd, 0x37, 0x7a, 0x58, 0x5a],
  ["compressed with bzip2", 0x42, 0x5a, 0x68],
  ["compressed with lz4", 0x04, 0x22, 0x4d, 0x18],
  ["compressed with deflate", 0x78, 0x01],
  ["compressed with deflate", 0x78, 0x5e],
  ["compressed with deflate", 0x78, 0x9c],
  ["compressed with deflate", 0x78, 0xda],
  ["a zip file", 0x50, 0x4b, 0x03, 0x04],
];

const BRACKETS: readonly number[] = [0x7b, 0x5b];

/** Undefined for text. Brotli has no mark of its own: a start that is neither JSON nor text counts as compressed. */
function findPacking(bytes: Buffer): string | undefined {
  const known = PACKINGS.find(([, ...start]) => start.every((byte, index) => bytes[index] === byte));
  if (known) return known[0];
  const [first = 0, ...others] = bytes.subarray(0, 64);
  const isControl = (byte: number) => byte < 0x20 && !BLANKS.includes(byte);
  // UTF-16 begins with 0xff or 0xfe.
  const mayBeText = first === 0 || first >= 0xfe || BRACKETS.includes(first);
  return !mayBeText && [first, ...others].some(isControl) ? "binary data, perhaps compressed" : undefined;
}

function notUtf8(bytes: Buffer, start: string): JsonError {
  const at = findInvalid(bytes);
  try {
    // In stream mode, a character cut off at the end is not an error.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(at), { stream: true });
    return new JsonError("incomplete", "it ends inside a character", { start });
  } catch (cause) {
    return new JsonError("invalid", `it is not UTF-8 text near byte ${at}`, { start, cause });
  }
}

/** The start of a character at most four bytes before the first invalid byte. */
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

/** Classifies an error of the parser. */
function describeFault(cause: unknown, text: string, start: string): JsonError {
  if (cause instanceof RangeError) return new JsonError("excessive", messageOf(cause), { start, cause });
  const message = messageOf(cause);
  const rest = text.slice(Number(/at position (\d+)$/.exec(message)?.[1]));
  const endsEarly =
    ["true", "false", "null"].some((word) => word !== rest && word.startsWith(rest)) ||
    /^\\(u[\da-f]{0,3})?$/i.test(rest);
  const startsLikeJson = /^\s*([[{\0]|$)/.test(start);
  return new JsonError(!startsLikeJson ? "foreign" : endsEarly ? "incomplete" : "invalid", message, { start, cause });
}

const START_LENGTH = 4096;
