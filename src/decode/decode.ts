/** Decodes the bytes of a body into an answer. */
import { isUtf8 } from "node:buffer";
import { EntsError } from "../base/errors.ts";
import { isLosslessNumber, parseJsonBytes } from "../base/json.ts";
import type { Answer, KnownAnswer } from "../series/answer.ts";
import { openEnvelope } from "./envelope.ts";
import { ScannedPoints } from "../series/scanned-points.ts";
import { scanBody } from "./scan.ts";
import { readTimeSeries } from "./time-series.ts";

/**
 * Decodes a body (UTF-8) with the fast scanner, or with the full parser if the body is unusual. Results are the same.
 * @throws {JsonError} the body is not JSON; {EntsError} refused: `success` is false, or it is not a v4 envelope.
 */
export function decodeBody(bytes: Buffer): Answer {
  return (isUtf8(bytes) ? decodeScanned(bytes) : undefined) ?? decodeFully(bytes);
}

/** Decodes with the full parser. */
export function decodeFully(bytes: Buffer): Answer {
  const { envelope, data } = openEnvelope(parseJsonBytes(bytes));
  try {
    return { envelope, timeSeries: readTimeSeries(data) };
  } catch (problem) {
    if (problem instanceof EntsError) return { envelope, data, problem };
    throw problem;
  }
}

/** Leaves points in their bytes. Undefined: fall back to the full parser, which also reports errors. */
function decodeScanned(bytes: Buffer): KnownAnswer | undefined {
  try {
    const scanned = scanBody(bytes);
    if (!scanned) return undefined;
    const { envelope, data } = openEnvelope(scanned.body);
    const timeSeries = readTimeSeries(data, (json) => (isLosslessNumber(json) ? scanned.points.get(json.value) : undefined));
    const found = timeSeries.flatMap(({ series }) => series.filter(({ points }) => points instanceof ScannedPoints));
    // Else an array that looks like points is not the `data` of a series.
    return found.length === scanned.points.size ? { envelope, timeSeries } : undefined;
  } catch {
    return undefined;
  }
}
