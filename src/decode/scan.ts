/** The fast way to read a body: its points stay bytes, and only what is around them is parsed. */
import { LosslessNumber, parse } from "lossless-json";
import { BACKSLASH, COLON, OPEN, QUOTE, skipSpace } from "./bytes.ts";
import { isObject, type Json } from "../base/json.ts";
import { PointScanner } from "./scan-points.ts";
import { ScannedPoints } from "../series/scanned-points.ts";

/** A number that no service sends, which stands for points while the rest is parsed; its exponent counts them. */
const PLACEHOLDER = "-0e90909";

/**
 * Parses a body with its arrays of points as `ScannedPoints`; undefined when there is anything unusual about it,
 * broken JSON included: then the plain way has the say.
 */
export function scanBody(bytes: Buffer): Json | undefined {
  const cut = cutPoints(bytes);
  if (!cut || cut.points.length === 0) return undefined;
  try {
    const body = parse(cut.skeleton, undefined, (lexeme) =>
      lexeme.startsWith(PLACEHOLDER) ? cut.points[Number(lexeme.slice(PLACEHOLDER.length))] : new LosslessNumber(lexeme),
    ) as Json;
    return countScanned(body) === cut.points.length ? body : undefined;
  } catch {
    return undefined;
  }
}

/** How many series have scanned points: more were found where they stand for something else. */
function countScanned(body: Json): number {
  const items = isObject(body) && Array.isArray(body["data"]) ? (body["data"] as readonly Json[]) : [];
  const results = items.flatMap((item) => (isObject(item) && Array.isArray(item["results"]) ? (item["results"] as readonly Json[]) : []));
  return results.filter((result) => isObject(result) && (result["data"] as unknown) instanceof ScannedPoints).length;
}

interface Cut {
  readonly skeleton: string;
  readonly points: readonly ScannedPoints[];
}

function cutPoints(bytes: Buffer): Cut | undefined {
  const scanner = new PointScanner(bytes);
  const points: ScannedPoints[] = [];
  const texts: string[] = [];
  let copied = 0;
  for (let at = findData(bytes, 0); at >= 0; at = findData(bytes, copied)) {
    const found = scanner.scan(at);
    if (!found) return undefined;
    texts.push(bytes.toString("utf8", copied, at));
    points.push(found.points);
    copied = found.end;
  }
  texts.push(bytes.toString("utf8", copied));
  if (texts.some((text) => text.includes(PLACEHOLDER))) return undefined;
  return { skeleton: texts.map((text, index) => (index === 0 ? text : `${PLACEHOLDER}${index - 1}${text}`)).join(""), points };
}

/** The next array of arrays that is the value of a key `data`, outside of strings; -1 when there is none. */
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

/** Where `: [ [` opens after a key, or -1. */
function findNestedArray(bytes: Buffer, from: number): number {
  const colon = skipSpace(bytes, from);
  if (bytes[colon] !== COLON) return -1;
  const outer = skipSpace(bytes, colon + 1);
  if (bytes[outer] !== OPEN) return -1;
  return bytes[skipSpace(bytes, outer + 1)] === OPEN ? outer : -1;
}
