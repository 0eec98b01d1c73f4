/**
 * Reads a response with JSON.parse in the simplest way, without the code under test, so that results can be compared.
 * Small, slow and strict: if no document says what is right, it says so and allows several ends.
 */
import { TOKEN } from "../e2e/envelopes.ts";
import { isUtf8 } from "node:buffer";
import { gunzipSync } from "node:zlib";
import type { HostileAnswer } from "./generate.ts";

/** JSON in which each number is an object with its digits, as doubles cannot hold them all. */
export type Plain = string | boolean | null | readonly Plain[] | PlainObject;
export interface PlainObject {
  readonly [key: string]: Plain;
}

const DIGITS = "\ue000digits";

export interface PlainPoint {
  readonly timestamp: string;
  /** NaN if it is ambiguous. */
  readonly instant: number;
  readonly network: string;
  readonly metric: string;
  readonly unit: string;
  readonly labels: PlainObject;
  readonly value: Plain;
}

/** What a client may make of a response. */
export interface Reading {
  /** The right exit codes for rows and for json. */
  readonly rows: readonly number[];
  readonly json: readonly number[];
  /** The body, and its points if it has any. */
  readonly body?: PlainObject;
  readonly points?: readonly PlainPoint[];
  /** Whether the order of the points, or the spelling of their timestamps, is undefined. */
  readonly vague?: boolean;
}

const only = (...codes: number[]): Reading => ({ rows: codes, json: codes });

export function readAnswer(answer: HostileAnswer): Reading {
  const { status } = answer;
  if (status === 401 || status === 403) return only(3);
  if (status === 408 || status === 429 || [500, 502, 503, 504].includes(status) || status > 504) return only(5);
  if (status === 501) return only(5);
  // These have no body; services that send one, or its length, confuse every client.
  if (status === 204 || status === 304) return only(4, 5);
  if (status >= 300) return refusedOrEmpty(answer);
  const bytes = unpack(answer);
  return bytes === undefined ? only(4, 5) : readBytes(bytes, answer.made);
}

/** 404 and 416 may mean that there is no data. */
function refusedOrEmpty(answer: HostileAnswer): Reading {
  const mayBeEmpty =
    (answer.status === 404 || answer.status === 416) && /\bno\b[^"]*\bdata\b/i.test(String(unpack(answer)));
  return mayBeEmpty ? { ...only(0, 4), points: [] } : only(4);
}

/** Undefined if it cannot be decompressed. */
function unpack({ headers, bytes }: HostileAnswer): Buffer | undefined {
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return bytes;
  try {
    return encoding === "gzip" || encoding === "x-gzip" ? gunzipSync(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** `--max-body` of these tests. */
export const MAX_BODY = 4 * 1024 * 1024;

/** Valid JSON that a client may still refuse. */
const LIMITS = ["deep nesting", "gzip with an end", "another encoding", "two byte order marks"];

function readBytes(bytes: Buffer, made: readonly string[]): Reading {
  if (bytes.length > MAX_BODY) return only(4);
  // The token is masked in what a service sends.
  const text = bytes
    .toString("utf8")
    .replace(/^\ufeff+/, "")
    .replaceAll(TOKEN, "***");
  // RFC 8259: JSON is UTF-8, and names should be unique.
  let isOdd = !isUtf8(bytes) || made.some((name) => LIMITS.includes(name));
  let body: Plain;
  try {
    JSON.parse(text);
    body = parsePlain(text);
    isOdd ||= hasDoubleKeys(text, body);
  } catch (error) {
    isOdd ||= ["a member more", "a hostile label", "a long label", "another string", "another type"].some((name) =>
      made.includes(name),
    );
    return isOdd ? only(4, 5) : explainBroken(text, String(error));
  }
  const reading = readBody(body);
  if (!isOdd) return reading;
  const { body: _, ...unprinted } = reading;
  const orRefused = { rows: [...reading.rows, 4], json: [...reading.json, 4] };
  return { ...(made.includes("deep nesting") ? unprinted : reading), ...orRefused };
}

/** A truncated body may be complete the next time; one with an error before its end will not be. */
function explainBroken(text: string, message: string): Reading {
  if (!/^\s*[[{]/.test(text)) return only(4, 5);
  const position = /position (\d+)/.exec(message)?.[1];
  const isEarly =
    position === undefined ? /end of JSON input|Unexpected end/i.test(message) : Number(position) >= text.length;
  // For a truncated word, escape or number, parsers disagree where the error is.
  if (/(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|\\|\\u[\da-f]{0,3}|[-+.eE])$/i.test(text)) return only(4, 5);
  return isEarly ? only(5) : only(4);
}

/** JSON.parse that keeps the digits of each number. */
export function parsePlain(text: string): Plain {
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs, (token) =>
    token.startsWith('"') ? token : `{"${DIGITS}":"${token}"}`,
  );
  return JSON.parse(marked) as Plain;
}

export function digitsOf(value: Plain | undefined): string | undefined {
  return isObject(value) && typeof value[DIGITS] === "string" ? value[DIGITS] : undefined;
}

/** Compares the number of keys in the text with the number of parsed ones. */
function hasDoubleKeys(text: string, body: Plain): boolean {
  const written = text.match(/"(?:[^"\\]|\\.)*"(?=\s*:)/gs)?.length ?? 0;
  let found = 0;
  const left: Plain[] = [body];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (digitsOf(value) !== undefined || typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) found += Object.keys(value).length;
    for (const member of Object.values(value) as Plain[]) left.push(member);
  }
  return written !== found;
}

function isObject(value: Plain | undefined): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readBody(body: Plain): Reading {
  if (!isObject(body) || digitsOf(body) !== undefined || body["success"] === false || !Array.isArray(body["data"]))
    return only(4);
  const { success = true, error = null, total_records: total = null } = body;
  const isLoose =
    success !== true ||
    !(error === null || typeof error === "string" || (isObject(error) && digitsOf(error) === undefined));
  const codes = isLoose ? [0, 4] : [0];
  const data = body["data"] as readonly Plain[];
  const collected: Collected = { points: [], vague: false, odd: false };
  if (!data.every((item) => collectItem(item, collected))) return { rows: [4], json: codes, body };
  const { points, vague, odd } = collected;
  const rows = codesForTotal(total, data.length, points.length) ?? (odd ? [0, 4] : codes);
  return { rows: isLoose ? [...rows, 4] : rows, json: codes, body, points, vague };
}

/** A total above what came means missing rows; the contract does not say what it counts. */
function codesForTotal(total: Plain, items: number, points: number): number[] | undefined {
  if (total === null) return undefined;
  const count = Number(digitsOf(total) ?? Number.NaN);
  if (Number.isInteger(count) && count >= 0 && count <= Math.min(items, points)) return undefined;
  return count > Math.max(items, points) && Number.isSafeInteger(count) ? [4] : [0, 4];
}

interface Collected {
  readonly points: PlainPoint[];
  vague: boolean;
  /** Whether a client may refuse it. */
  odd: boolean;
}

const OFFSETS: Readonly<Record<string, string>> = { NEM: "+10:00", AU: "+10:00", WEM: "+08:00" };

/** Adds the points of a TimeSeries; returns false if it is not one. */
function collectItem(item: Plain, collected: Collected): boolean {
  if (!isObject(item)) return false;
  const { network_code: network, metric, unit = null, network_timezone_offset: sent = null, results } = item;
  if (typeof network !== "string" || typeof metric !== "string" || !Array.isArray(results)) return false;
  if (unit !== null && typeof unit !== "string") return false;
  collected.odd ||= sent !== null && typeof sent !== "string";
  const known = Object.hasOwn(OFFSETS, network) ? OFFSETS[network] : undefined;
  const offset = typeof sent === "string" && /^(Z|[+-]\d\d:\d\d)$/.test(sent) ? sent : known;
  for (const series of results as readonly Plain[]) {
    if (!isObject(series) || !Array.isArray(series["data"])) return false;
    const labels = series["columns"] ?? {};
    if (!isObject(labels) || digitsOf(labels) !== undefined || !Object.values(labels).every(isScalar)) return false;
    for (const point of series["data"] as readonly Plain[]) {
      if (!Array.isArray(point) || point.length !== 2) return false;
      const [timestamp, value] = point as [Plain, Plain];
      if (typeof timestamp !== "string" || !isScalar(value)) return false;
      const instant = readTimestamp(timestamp, offset, collected);
      if (instant === undefined) return false;
      collected.points.push({ timestamp, instant, network, metric, unit: unit ?? "", labels, value });
      if (typeof value === "string" || typeof value === "boolean") collected.odd = true;
    }
  }
  return true;
}

function isScalar(value: Plain): boolean {
  return value === null || typeof value !== "object" || digitsOf(value) !== undefined;
}

const PLAIN_STAMP = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?$/;
const OTHER_STAMP = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Undefined if it is not a timestamp. */
function readTimestamp(timestamp: string, offset: string | undefined, collected: Collected): number | undefined {
  const match = PLAIN_STAMP.exec(timestamp);
  const instant = match ? Date.parse(match[1] === undefined ? `${timestamp}${offset ?? "?"}` : timestamp) : Number.NaN;
  const isReal = match && new Date(`${timestamp.slice(0, 19)}Z`).toJSON()?.slice(0, 19) === timestamp.slice(0, 19);
  if (!Number.isNaN(instant) && isReal) return instant;
  if (!OTHER_STAMP.test(timestamp)) return undefined;
  collected.vague = true;
  // A timestamp without any offset, for an unknown network, must be accepted; the others may be refused.
  collected.odd ||= !isReal || offset !== undefined;
  return Number.NaN;
}
