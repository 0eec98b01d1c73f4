/** From the bytes of a body to an answer, once. */
import { EntsError } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import type { Answer, KnownAnswer } from "../series/answer.ts";
import { openEnvelope } from "./envelope.ts";
import { scanBody } from "./scan.ts";
import { readTimeSeries } from "./time-series.ts";

/**
 * Decodes a body (UTF-8): the fast way where nothing in it is unusual, else the plain way, which is its reference.
 * @throws {SyntaxError} the body is not JSON; {EntsError} refused: `success` is false, or it is no v4 envelope.
 */
export function decodeBody(bytes: Buffer): Answer {
  return decodeScanned(bytes) ?? decodePlainly(bytes);
}

/** The same by parsing all of it. */
export function decodePlainly(bytes: Buffer): Answer {
  const { envelope, data } = openEnvelope(parseJson(bytes.toString("utf8")));
  try {
    return { envelope, timeSeries: readTimeSeries(data) };
  } catch (problem) {
    if (problem instanceof EntsError) return { envelope, data, problem };
    throw problem;
  }
}

/** The same with points left in their bytes; undefined: fall back to the full parser, which also says what is wrong. */
function decodeScanned(bytes: Buffer): KnownAnswer | undefined {
  const scanned = scanBody(bytes);
  if (!scanned) return undefined;
  try {
    const { envelope, data } = openEnvelope(scanned.body);
    const timeSeries = readTimeSeries(data, scanned.takePoints);
    return scanned.allTaken() ? { envelope, timeSeries } : undefined;
  } catch {
    return undefined;
  }
}
