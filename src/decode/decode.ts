/** Decodes the bytes of a body into an answer. */
import { isUtf8 } from "node:buffer";
import { EntsError } from "../base/errors.ts";
import { isLosslessNumber } from "../base/json.ts";
import { parseJsonBytes } from "../base/json-bytes.ts";
import type { Answer, Envelope, KnownAnswer } from "../series/answer.ts";
import { Body } from "../series/body.ts";
import { runAtOnce, type Steps } from "../base/steps.ts";
import { openEnvelope } from "./envelope.ts";
import { TooManySeries } from "./max-series.ts";
import { ScannedPoints } from "../series/scanned-points.ts";
import { scanBody } from "./scan.ts";
import { readTimeSeries } from "./time-series.ts";
import type { TimeSeries } from "../series/time-series.ts";
import { shortenText } from "../base/shown-text.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { keyOfRow } from "../series/keyed.ts";
import { valueAt } from "../series/point-operations.ts";

/**
 * Decodes a body (UTF-8) with the fast scanner, or with the full parser if the body is unusual. Results are the same.
 * @throws {JsonError} the body is not JSON; {EntsError} refused: `success` is false, or it is not a v4 envelope, or has too many series.
 */
export function decodeBody(bytes: Buffer): Answer {
  return decodeAnswer(new Body(bytes));
}

/** The points are valid until the body is freed. */
export function decodeAnswer(body: Body): Answer {
  return runAtOnce(decodeInSteps(body));
}

export function* decodeInSteps(body: Body): Steps<Answer> {
  const { bytes } = body;
  return (isUtf8(bytes) ? yield* decodeScanned(body) : undefined) ?? (yield* decodeParsed(bytes));
}

/** Decodes with the full parser. */
export function decodeFully(bytes: Buffer): Answer {
  return runAtOnce(decodeParsed(bytes));
}

function* decodeParsed(bytes: Buffer): Steps<Answer> {
  const { envelope, data } = openEnvelope(yield* parseJsonBytes(bytes));
  const warnings = new Set<string>();
  try {
    return createAnswer(envelope, yield* readTimeSeries(data, { warn: (text) => warnings.add(text) }), warnings);
  } catch (problem) {
    if (problem instanceof EntsError && !(problem instanceof TooManySeries)) return { envelope, data, problem };
    throw problem;
  }
}

/** Leaves points in their bytes. Undefined: fall back to the full parser, which also reports errors. */
function* decodeScanned(body: Body): Steps<KnownAnswer | undefined> {
  try {
    const scanned = yield* scanBody(body);
    if (!scanned) return undefined;
    const { envelope, data } = openEnvelope(scanned.json);
    const warnings = new Set<string>();
    const timeSeries = yield* readTimeSeries(data, {
      takePoints: (json) => (isLosslessNumber(json) ? scanned.points.get(json.value) : undefined),
      warn: (text) => warnings.add(text),
    });
    const found = timeSeries.flatMap(({ series }) => series.filter(({ points }) => points instanceof ScannedPoints));
    // Else an array that looks like points is not the `data` of a series.
    return found.length === scanned.points.size ? createAnswer(envelope, timeSeries, warnings) : undefined;
  } catch (error) {
    if (error instanceof TooManySeries) throw error;
    return undefined;
  }
}

function createAnswer(envelope: Envelope, timeSeries: readonly TimeSeries[], warnings: ReadonlySet<string>): KnownAnswer {
  const incomplete = findMissingRecords(envelope, timeSeries);
  return { envelope, timeSeries, warnings: [...warnings], ...(incomplete ? { incomplete } : {}) };
}

/** The error of an answer that is one page of several: it names more TimeSeries than came, and the number of nothing else that came. */
function findMissingRecords({ total_records: total }: Envelope, timeSeries: readonly TimeSeries[]): EntsError | undefined {
  if (!isLosslessNumber(total)) return undefined;
  const named = Number(total.value);
  if (named <= timeSeries.length) return undefined;
  const series = timeSeries.flatMap((item) => item.series);
  const points = series.reduce((sum, one) => sum + one.points.instants.length, 0);
  if (named === series.length || named === points || listCounts(timeSeries).includes(named)) return undefined;
  return new EntsError(
    "refused",
    `the service's answer is incomplete: total_records is ${shortenText(total.value)}, but ${timeSeries.length} TimeSeries with ${series.length} series and ${points} ${points === 1 ? "point" : "points"} came`,
    { hint: `ask for less in one request (${FETCH_FLAGS.maxWindow}, fewer codes), or use --format json to get the answer unchanged` },
  );
}

/** What else a service may count: timestamps, rows and values. One that fills gaps may have counted before it did. */
function listCounts(timeSeries: readonly TimeSeries[]): number[] {
  let values = 0;
  const instants = new Set<number>();
  const rows = new Set<string>();
  const filledRows = new Set<string>();
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
