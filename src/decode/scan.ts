/** Fast decoding: points stay bytes, and only the JSON around them is parsed. */
import type { Json } from "../base/json.ts";
import { parseJsonInSteps } from "../base/json-steps.ts";
import type { Steps } from "../base/steps.ts";
import type { Body } from "../series/body.ts";
import type { ScannedPoints } from "../series/scanned-points.ts";
import { BACKSLASH, COLON, OPEN, QUOTE, skipSpace } from "./bytes.ts";
import { MAX_SERIES, tooManySeries } from "./max-series.ts";
import { PointScanner } from "./scan-points.ts";

/** A number that no service sends, in place of an array of points; the digits after it are the array's index. */
const PLACEHOLDER = "-0e90909";

/** The JSON of a body, with arrays of points left in their bytes. */
export interface ScannedBody {
  /** All of it, with a placeholder for each array of points. */
  readonly json: Json;
  /** The points of each placeholder, by its text. */
  readonly points: ReadonlyMap<string, ScannedPoints>;
}

/** Undefined for an unusual body: fall back to the full parser. @throws {SyntaxError} it is not JSON. */
export function* scanBody(body: Body): Steps<ScannedBody | undefined> {
  const { bytes } = body;
  const scanner = new PointScanner(body);
  const points = new Map<string, ScannedPoints>();
  const texts: string[] = [];
  let copied = 0;
  let before = "";
  const copyTo = (end?: number) => {
    const text = bytes.toString("utf8", copied, end);
    texts.push(before, text);
    return !text.includes(PLACEHOLDER);
  };
  for (let at = findData(bytes, 0); at >= 0; at = findData(bytes, copied)) {
    const found = yield* scanner.scan(at);
    if (!found || !copyTo(at)) return undefined;
    if (points.size === MAX_SERIES) throw tooManySeries();
    const name = `${PLACEHOLDER}${points.size}`;
    points.set(name, found.points);
    before = `${name} `;
    copied = found.end;
    yield;
  }
  if (points.size === 0 || !copyTo()) return undefined;
  return { json: yield* parseJsonInSteps(texts.join("")), points };
}

/** The index of the next array of arrays under a key `data`, outside strings; -1 if there is none. */
function findData(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; ) {
    const start = bytes.indexOf(QUOTE, at);
    const end = start < 0 ? -1 : findStringEnd(bytes, start);
    if (end < 0) return -1;
    const array = end - start === 6 && bytes.toString("latin1", start, end) === '"data"' ? findNestedArray(bytes, end) : -1;
    if (array >= 0) return array;
    at = end;
  }
  return -1;
}

/** The index after a string's closing quote. */
function findStringEnd(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return -1;
}

/** The index of the outer bracket of `: [ [` after a key, or -1. */
function findNestedArray(bytes: Buffer, from: number): number {
  const colon = skipSpace(bytes, from);
  if (bytes[colon] !== COLON) return -1;
  const outer = skipSpace(bytes, colon + 1);
  if (bytes[outer] !== OPEN) return -1;
  return bytes[skipSpace(bytes, outer + 1)] === OPEN ? outer : -1;
}
