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
import { findMissingRecords } from "./total-records.ts";
import type { TimeSeries } from "../series/time-series.ts";

/**
 * Decodes a body (UTF-8) with the fast scanner, or with the full parser if the body is unusual. Results are the same.
 * @throws {JsonError} the body is not JSON; {EntsError} refused: `success` is false, or it is not a v4 envelope, or has too many series.
 */
export function decodeBody(bytes: Buffer): Answer {
  return decodeAnswer(new Body(bytes));
}

/** The same. Its points are valid until the body is freed. */
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
