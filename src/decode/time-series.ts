import { EntsError } from "../base/errors.ts";
import { describeJson, isLosslessNumber, isObject, type Json, type JsonObject, toJsonText } from "../base/json.ts";
import type { Steps } from "../base/steps.ts";
import { readRuns } from "../series/forecast-runs.ts";
import type { Points } from "../series/points.ts";
import { sortPoints } from "../series/point-operations.ts";
import { findOffset, hasOffset, parseTimestamp } from "../time/timestamp.ts";
import type { Labels, Series, TimeSeries } from "../series/time-series.ts";
import { formatNumber } from "../base/phrases.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";

export interface SeriesReading {
  /** The scanned points of a placeholder; undefined for anything else. */
  readonly takePoints?: ((data: Json | undefined) => Points | undefined) | undefined;
  /** Called with each assumption about ambiguous data; may be called many times with the same text. */
  readonly warn?: (text: string) => void;
}

/**
 * v4 does not define the shape of `data`. @throws {EntsError} refused: names the place, what was expected and what was
 * received.
 */
export function* readTimeSeries(data: readonly Json[], reading: SeriesReading = {}): Steps<TimeSeries[]> {
  const read: TimeSeries[] = [];
  let left = MAX_SERIES;
  for (const [index, item] of data.entries()) {
    const found = yield* readItem(item, `data[${index}]`, { ...reading, left });
    left -= found.series.length;
    read.push(found);
  }
  return read;
}

/** `left`: the maximum number of its series. */
function* readItem(
  item: Json,
  place: string,
  { takePoints, warn, left }: SeriesReading & { left: number },
): Steps<TimeSeries> {
  if (!isObject(item)) throw unexpected(place, "an object", describeJson(item));
  const fields = item;
  const { unit, results } = fields;
  const [network, metric] = [readString(fields, "network_code", place), readString(fields, "metric", place)];
  if (unit !== null && unit !== undefined) readString(fields, "unit", place);
  if (!Array.isArray(results)) throw unexpected(`${place}.results`, "an array", describeJson(results));
  if (results.length > left) throw tooManySeries();
  const reader = { parse: createTimestampParser(network, fields["network_timezone_offset"], warn), warn };
  const series: Series[] = [];
  for (const result of results as readonly Json[]) {
    const at = `${place}.results[${series.length}]`;
    if (!isObject(result)) throw unexpected(at, "an object", describeJson(result));
    const points = takePoints?.(result["data"]) ?? (yield* readPoints(result["data"], at, reader));
    const labels = readLabels(result["columns"], `${at}.columns`);
    series.push({ fields: { ...result, data: null }, labels, points, ...readRuns(fields, points) });
    yield;
  }
  return { fields: { ...fields, results: null }, network, metric, unit: (unit ?? "") as string, series };
}

/** Points per step: a few milliseconds. */
const STEP_POINTS = 5000;

type TimestampParser = (timestamp: string) => number | undefined;

/** Reads a timestamp without an offset as network time, or as UTC if the network's offset is unknown. */
function createTimestampParser(
  network: string,
  sentOffset: Json | undefined,
  warn: SeriesReading["warn"],
): TimestampParser {
  const offset = findOffset(network, sentOffset);
  if (offset !== undefined) return (timestamp) => parseTimestamp(timestamp, offset);
  return (timestamp) => {
    if (!hasOffset(timestamp))
      warn?.(`the UTC offset of network ${network} is unknown; reading its timestamps without an offset as UTC`);
    return parseTimestamp(timestamp, "Z");
  };
}

/** The object as sent, not a copy: a label may be named `__proto__`. */
function readLabels(columns: Json | undefined, place: string): Labels {
  if (columns === undefined || columns === null) return {};
  if (!isObject(columns)) throw unexpected(place, "an object", describeJson(columns));
  for (const [name, value] of Object.entries(columns)) {
    if (isObject(value) || Array.isArray(value))
      throw unexpected(`${place}.${name}`, "text, a number, a boolean or null", describeJson(value));
  }
  return columns as Labels;
}

interface PointReader {
  readonly parse: TimestampParser;
  readonly warn: SeriesReading["warn"];
}

function* readPoints(data: Json | undefined, place: string, { parse, warn }: PointReader): Steps<Points> {
  if (!Array.isArray(data)) throw unexpected(`${place}.data`, "an array", describeJson(data));
  const timestamps: string[] = [];
  const instants: number[] = [];
  const values: (string | null)[] = [];
  for (const point of data as readonly Json[]) {
    const [timestamp, value] = readPoint(point, `${place}.data[${timestamps.length}]`);
    const instant = parse(timestamp);
    if (instant === undefined)
      throw unexpected(`${place}.data[${timestamps.length}]`, "an ISO 8601 timestamp", `"${timestamp}"`);
    timestamps.push(timestamp);
    instants.push(instant);
    const number = value && readQuotedNumber(value);
    if (number) warn?.("the service sends numbers as text; they are read as numbers");
    values.push(number || value);
    if (values.length % STEP_POINTS === 0) yield;
  }
  return sortPoints({ timestamps, instants, values });
}

/** The number in a JSON string that is exactly one; undefined for other values. */
function readQuotedNumber(json: string): string | undefined {
  return /^"(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)"$/.exec(json)?.[1];
}

function readPoint(point: Json, place: string): [timestamp: string, value: string | null] {
  if (!Array.isArray(point) || point.length !== 2) throw unexpected(place, "[timestamp, value]", describeJson(point));
  const [timestamp, value] = point as [Json, Json];
  if (typeof timestamp !== "string") throw unexpected(place, "a timestamp first", describeJson(timestamp));
  if (value !== null && typeof value === "object" && !isLosslessNumber(value)) {
    throw unexpected(place, "a number or null second", describeJson(value));
  }
  return [timestamp, value === null ? null : isLosslessNumber(value) ? value.value : toJsonText(value)];
}

function readString(fields: JsonObject, name: string, place: string): string {
  const value = fields[name];
  if (typeof value !== "string") throw unexpected(`${place}.${name}`, "a string", describeJson(value));
  return value;
}

function unexpected(place: string, expected: string, received: string): Error {
  return unknownShape(place, `expected ${expected}, received ${received}`);
}

function unknownShape(place: string, problem: string): Error {
  return new EntsError("refused", `the service's time series have an unknown shape at ${place}: ${problem}`, {
    hint: "use --format json to get the response unchanged",
  });
}

/** Fifty times the series of all units of a network in all metrics; each takes 5 KB of memory. */
export const MAX_SERIES = 200_000;

export class TooManySeries extends EntsError {}

export function tooManySeries(): TooManySeries {
  return new TooManySeries("refused", `the response has more than ${formatNumber(MAX_SERIES)} series, the maximum`, {
    hint: `ask for fewer metrics, facilities or units at a time, and check that the base address (${FETCH_FLAGS.baseUrl}) is that of a v4 service`,
  });
}
