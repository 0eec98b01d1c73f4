/**
 * A digest of an answer has all of it but most of its points: the first two of each series, the last two, and the last one with
 * a value. It stands for the answer where none of its rows is written again, so that a night takes the time of what it writes.
 */
import { createHash, type Hash } from "node:crypto";
import { isLosslessNumber, LosslessNumber, toJsonText } from "../base/json.ts";
import type { Interval } from "../base/vocabulary.ts";
import type { Envelope, KnownAnswer } from "../series/answer.ts";
import { lookInside } from "../series/buckets/gap-evidence.ts";
import { stampAt, valueAt } from "../series/point-operations.ts";
import type { Points } from "../series/points.ts";
import { parseNumber } from "../series/read-number.ts";
import { ScannedPoints } from "../series/scanned-points.ts";
import { countPoints } from "../series/overlap.ts";
import type { TimeSeries } from "../series/time-series.ts";

export interface Digest {
  /** What the whole answer has shown. */
  readonly seen: NonNullable<KnownAnswer["seen"]>;
  readonly hasPoints: boolean;
  /** The rest of it, each as JSON. */
  readonly envelope: string;
  readonly timeSeries: string;
}

export function digestAnswer(answer: KnownAnswer, interval: Interval | undefined): Digest {
  const { envelope, whole = answer.timeSeries } = answer;
  const timeSeries = answer.timeSeries.map((item) => ({
    ...item,
    series: item.series.map((series) => ({ ...series, points: shorten(series.points) })),
  }));
  const hash = createHash("sha256");
  for (const { fields, series } of answer.timeSeries) {
    hash.update(toJsonText([fields, series.map((one) => one.fields)]));
    for (const { points } of series) hashPoints(points, hash);
  }
  return {
    seen: { inside: lookInside(whole, interval), hash: hash.digest("base64url") },
    hasPoints: countPoints(timeSeries) > 0,
    envelope: JSON.stringify(envelope, mark),
    timeSeries: JSON.stringify(timeSeries, mark),
  };
}

export function openDigest({ seen, envelope, timeSeries }: Digest): KnownAnswer {
  return { envelope: parse(envelope) as Envelope, timeSeries: parse(timeSeries) as TimeSeries[], seen };
}

/** Most series have no number but their values, which are texts here. */
function parse(text: string): unknown {
  return text.includes(ESCAPED_MARK) ? JSON.parse(text, unmark) : JSON.parse(text);
}

/** Before the digits of a number that is not to become a double, and before a text that begins so. */
const MARK = "\u0001";
const ESCAPED_MARK = String.raw`\u0001`;

function mark(_key: string, value: unknown): unknown {
  if (isLosslessNumber(value)) return MARK + value.value;
  return typeof value === "string" && value.startsWith(MARK) ? MARK + value : value;
}

function unmark(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith(MARK)) return value;
  return value.startsWith(MARK, MARK.length) ? value.slice(MARK.length) : new LosslessNumber(value.slice(MARK.length));
}

function shorten(points: Points): Points {
  const { length } = points.instants;
  let valued = length - 1;
  while (valued >= 0 && Number.isNaN(parseNumber(valueAt(points, valued)) ?? Number.NaN)) valued--;
  const kept = new Set([0, 1, valued, length - 2, length - 1].filter((index) => index >= 0 && index < length).sort((a, b) => a - b));
  return {
    stamps: Array.from(kept, (index) => stampAt(points, index)),
    instants: Array.from(kept, (index) => points.instants[index] as number),
    values: Array.from(kept, (index) => valueAt(points, index)),
  };
}

function hashPoints(points: Points, hash: Hash): void {
  if (!(points instanceof ScannedPoints)) return void hash.update(JSON.stringify([points.stamps, points.values]));
  const { body, starts, gaps, lengths } = points.columns;
  const last = starts.length - 1;
  const end = (starts[last] ?? 0) + (gaps[last] ?? 0) + (lengths[last] ?? 0);
  hash.update(`${starts.length} `).update(body.bytes.subarray(starts[0], end));
}
