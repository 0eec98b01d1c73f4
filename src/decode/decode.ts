import { isUtf8 } from "node:buffer";
import { EntsError } from "../base/errors.ts";
import { isLosslessNumber, type Json, parseJson } from "../base/json.ts";
import { parseJsonBytes } from "../base/json-bytes.ts";
import type { DecodedResponse, Envelope, KnownResponse } from "../series/decoded-response.ts";
import { Body } from "../series/body.ts";
import { runAtOnce, type Steps } from "../base/steps.ts";
import { openEnvelope, type OpenedEnvelope } from "./envelope.ts";
import { TooManySeries, readTimeSeries, type SeriesReading, MAX_SERIES, tooManySeries } from "./time-series.ts";
import { ScannedPoints } from "../series/points.ts";
import { type TimeSeries, keyOfRow } from "../series/time-series.ts";
import { shortenText } from "../base/shown-text.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { valueAt } from "../series/point-operations.ts";
import { BACKSLASH, COLON, OPEN, QUOTE, skipSpace } from "./bytes.ts";
import { PointScanner } from "./scan-points.ts";

/**
 * Decodes a body (UTF-8) with the fast scanner, or with the full parser if the body is unusual. Results are the same.
 * @throws {JsonError} the body is not JSON; {EntsError} refused: `success` is false, or it is not a v4 envelope, or has
 * too many series.
 */
export function decodeBody(bytes: Buffer): DecodedResponse {
  return decodeResponse(new Body(bytes));
}

/** The points are valid until the body is freed. */
export function decodeResponse(body: Body): DecodedResponse {
  return runAtOnce(decodeInSteps(body));
}

export function* decodeInSteps(body: Body): Steps<DecodedResponse> {
  const { bytes } = body;
  return (isUtf8(bytes) ? yield* decodeScanned(body) : undefined) ?? (yield* decodeParsed(bytes));
}

export function decodeFully(bytes: Buffer): DecodedResponse {
  return runAtOnce(decodeParsed(bytes));
}

function* decodeParsed(bytes: Buffer): Steps<DecodedResponse> {
  const opened = openEnvelope(parseJsonBytes(bytes));
  try {
    return yield* readEnvelope(opened);
  } catch (problem) {
    if (problem instanceof EntsError && !(problem instanceof TooManySeries)) return { ...opened, problem };
    throw problem;
  }
}

/**
 * Fast: points stay bytes, and only the JSON around them is parsed. Undefined for an unusual body: the full parser also
 * reports errors.
 */
function* decodeScanned(body: Body): Steps<KnownResponse | undefined> {
  try {
    const scanned = yield* scanBody(body);
    if (!scanned) return undefined;
    const decoded = yield* readEnvelope(openEnvelope(scanned.json), (json) =>
      isLosslessNumber(json) ? scanned.points.get(json.value) : undefined,
    );
    const found = decoded.timeSeries.flatMap(({ series }) =>
      series.filter(({ points }) => points instanceof ScannedPoints),
    );
    // Otherwise, an array that looks like points is not the `data` of a series.
    return found.length === scanned.points.size ? decoded : undefined;
  } catch (error) {
    if (error instanceof TooManySeries || !isOfBody(error)) throw error;
    return undefined;
  }
}

/** True if a body is to blame, which the full parser explains: it is not JSON, too large, or not of v4. */
function isOfBody(error: unknown): boolean {
  return error instanceof EntsError || error instanceof SyntaxError || error instanceof RangeError;
}

function* readEnvelope(
  { envelope, data }: OpenedEnvelope,
  takePoints?: SeriesReading["takePoints"],
): Steps<KnownResponse> {
  const warnings = new Set<string>();
  const timeSeries = yield* readTimeSeries(data, { takePoints, warn: (text) => warnings.add(text) });
  const incomplete = findMissingRecords(envelope, timeSeries);
  return { envelope, timeSeries, warnings: [...warnings], ...(incomplete ? { incomplete } : {}) };
}

/**
 * The error if a response is one page of several: `total_records` exceeds the TimeSeries and matches no other count.
 */
function findMissingRecords(
  { total_records: total }: Envelope,
  timeSeries: readonly TimeSeries[],
): EntsError | undefined {
  if (!isLosslessNumber(total)) return undefined;
  const named = Number(total.value);
  if (named <= timeSeries.length) return undefined;
  const series = timeSeries.flatMap((item) => item.series);
  const points = series.reduce((sum, member) => sum + member.points.instants.length, 0);
  if (named === series.length || named === points || listCounts(timeSeries).includes(named)) return undefined;
  return new EntsError(
    "refused",
    `the response is incomplete: total_records is ${shortenText(total.value)}, but ${timeSeries.length} TimeSeries with ${series.length} series and ${points} ${points === 1 ? "point" : "points"}`,
    {
      hint: `ask for less in one request (${FETCH_FLAGS.maxWindow}, fewer codes), or use --format json to get the response unchanged`,
    },
  );
}

/**
 * Other counts that `total_records` may be: values, timestamps, rows, and rows with values (before the service filled
 * gaps).
 */
function listCounts(timeSeries: readonly TimeSeries[]): number[] {
  let values = 0;
  const instants = new Set<number>();
  const [rows, filledRows] = [new Set<string>(), new Set<string>()];
  for (const item of timeSeries) {
    for (const series of item.series) {
      const key = keyOfRow(item, series);
      for (const [index, instant] of series.points.instants.entries()) {
        instants.add(instant);
        rows.add(`${instant}${key}`);
        if (valueAt(series.points, index) === null) continue;
        values++;
        filledRows.add(`${instant}${key}`);
      }
    }
  }
  return [values, instants.size, rows.size, filledRows.size];
}

/** Stands for an array of points: a number that no service sends, followed by the array's index. */
const PLACEHOLDER = "-0e90909";

/**
 * The JSON of a body with a placeholder for each array of points, and the points by placeholder. Undefined for an
 * unusual body: fall back to the full parser. @throws {SyntaxError} it is not JSON.
 */
function* scanBody(body: Body): Steps<{ json: Json; points: ReadonlyMap<string, ScannedPoints> } | undefined> {
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
  return { json: parseJson(texts.join("")), points };
}

/** The index of the next array of arrays under a key `data`, outside strings, or -1. */
function findData(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; ) {
    const start = bytes.indexOf(QUOTE, at);
    const end = start < 0 ? -1 : findClosingQuote(bytes, start);
    if (end < 0) return -1;
    const array =
      end - start === 6 && bytes.toString("latin1", start, end) === '"data"' ? findNestedArray(bytes, end) : -1;
    if (array >= 0) return array;
    at = end;
  }
  return -1;
}

function findClosingQuote(bytes: Buffer, start: number): number {
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
