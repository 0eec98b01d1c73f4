/** Parses the JSON of a response body, and says what is wrong with an invalid one. */
import { constants, isUtf8 } from "node:buffer";
import { messageOf } from "./errors.ts";
import { type Json, stripMark } from "./json.ts";
import { parseJsonInSteps } from "./json-steps.ts";
import { formatNumber } from "./phrases.ts";
import type { Steps } from "./steps.ts";

export class JsonError extends SyntaxError {
  override readonly name = "JsonError";
  /** `incomplete`: truncated. `foreign`: not JSON from its start. `invalid`: malformed further on. `excessive`: too large or too deep. */
  readonly fault: "incomplete" | "foreign" | "invalid" | "excessive";
  readonly start: string;

  constructor(fault: JsonError["fault"], message: string, { start, cause }: { readonly start: string; readonly cause?: unknown }) {
    super(message, { cause });
    this.fault = fault;
    this.start = start;
  }
}

/** Parses UTF-8 bytes as JSON. @throws {JsonError} */
export function* parseJsonBytes(bytes: Buffer): Steps<Json> {
  const start = bytes.toString("utf8", 0, START_LENGTH);
  if (/^\s*</.test(start)) throw new JsonError("foreign", "it is a page", { start });
  if (!isUtf8(bytes)) throw notUtf8(bytes, start);
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new JsonError("excessive", `${formatNumber(bytes.length)} bytes are too many to read in this form`, { start });
  }
  const text = stripMark(bytes.toString("utf8"));
  try {
    return yield* parseJsonInSteps(text);
  } catch (cause) {
    throw describeFault(cause, text, start);
  }
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
  const endsEarly = ["true", "false", "null"].some((word) => word !== rest && word.startsWith(rest)) || /^\\(u[\da-f]{0,3})?$/i.test(rest);
  const startsLikeJson = /^\s*([[{\0]|$)/.test(start);
  return new JsonError(!startsLikeJson ? "foreign" : endsEarly ? "incomplete" : "invalid", message, { start, cause });
}

const START_LENGTH = 4096;
