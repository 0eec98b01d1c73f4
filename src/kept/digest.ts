/**
 * A digest of an answer has all of it but most of its points: the first two of each series, the last two, and the last one with
 * a value. It stands for the answer where none of its rows is written again, so that a night takes the time of what it writes.
 */
import { createHash, type Hash } from "node:crypto";
import { type Json, parseJson, toJsonText } from "../base/json.ts";
import { decodeFully } from "../decode/decode.ts";
import type { Interval } from "../base/vocabulary.ts";
import { isKnown, type KnownAnswer } from "../series/answer.ts";
import { lookInside } from "../series/gap-evidence.ts";
import { stampAt, valueAt } from "../series/point-operations.ts";
import type { Points } from "../series/points.ts";
import { ScannedPoints } from "../series/scanned-points.ts";
import { parseNumber } from "../series/read-number.ts";
import { countPoints } from "../series/settle.ts";
import type { Series } from "../series/time-series.ts";

export interface Digest {
  /** What the whole answer has shown. */
  readonly seen: Seen;
  readonly hasPoints: boolean;
  /** The rest of it, as a body. */
  readonly body: string;
}

type Seen = NonNullable<KnownAnswer["seen"]>;

export function digestAnswer(answer: KnownAnswer, interval: Interval | undefined): Digest {
  const { envelope, timeSeries, whole = timeSeries } = answer;
  const data = timeSeries.map(({ fields, series }): Json => ({ ...fields, results: series.map(shorten) }));
  const hash = createHash("sha256").update(toJsonText(data));
  for (const { series } of timeSeries) for (const { points } of series) hashPoints(points, hash);
  return {
    seen: { inside: lookInside(whole, interval), hash: hash.digest("base64url") },
    hasPoints: countPoints(timeSeries) > 0,
    body: toJsonText({ ...envelope, data }),
  };
}

/** @throws {Error} the text is damaged. */
export function openDigest({ seen, body }: Digest): KnownAnswer {
  const answer = decodeFully(Buffer.from(body));
  if (!isKnown(answer)) throw answer.problem;
  // It has not all of the records that it says it has.
  return { envelope: answer.envelope, timeSeries: answer.timeSeries, seen };
}

function shorten({ fields, points }: Series): Json {
  const { length } = points.instants;
  let valued = length - 1;
  while (valued >= 0 && Number.isNaN(parseNumber(valueAt(points, valued)) ?? Number.NaN)) valued--;
  const indexes = [...new Set([0, 1, valued, length - 2, length - 1])]
    .filter((index) => index >= 0 && index < length)
    .sort((a, b) => a - b);
  return { ...fields, data: indexes.map((index) => [stampAt(points, index), parseJson(valueAt(points, index) ?? "null")]) };
}

function hashPoints(points: Points, hash: Hash): void {
  if (!(points instanceof ScannedPoints)) return void hash.update(JSON.stringify([points.stamps, points.values]));
  const { body, starts, gaps, lengths } = points.columns;
  const last = starts.length - 1;
  const end = (starts[last] ?? 0) + (gaps[last] ?? 0) + (lengths[last] ?? 0);
  hash.update(body.bytes.subarray(starts[0], end));
}
