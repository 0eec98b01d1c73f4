/**
 * A digest is a response reduced to a few points of each series: the first two, the last two, and the last one with a value. It
 * replaces the response if none of its rows is rewritten, so that the time an update takes depends on how much it writes.
 */
import { createHash, type Hash } from "node:crypto";
import { isLosslessNumber, LosslessNumber, toJsonText } from "../base/json.ts";
import type { Interval } from "../base/intervals.ts";
import type { Envelope, KnownAnswer } from "../series/answer.ts";
import { findGapSigns } from "../series/buckets/grid.ts";
import { type Points, ScannedPoints } from "../series/points.ts";
import { stampAt, valueAt, parseNumber } from "../series/point-operations.ts";
import { countPoints } from "../series/overlap.ts";
import type { TimeSeries } from "../series/time-series.ts";

export interface Digest {
  /** Facts about the complete response: whether it has nulls or missing buckets, and a hash of its series. */
  readonly seen: NonNullable<KnownAnswer["seen"]>;
  readonly hasPoints: boolean;
  /** As JSON. */
  readonly envelope: string;
  /** With the remaining points, as JSON. */
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
    seen: { inside: findGapSigns(whole, interval), hash: hash.digest("base64url") },
    hasPoints: countPoints(timeSeries) > 0,
    envelope: JSON.stringify(envelope, mark),
    timeSeries: JSON.stringify(timeSeries, mark),
  };
}

export function openDigest({ seen, envelope, timeSeries }: Digest): KnownAnswer {
  return { envelope: parse(envelope) as Envelope, timeSeries: parse(timeSeries) as TimeSeries[], seen };
}

/** Avoids the slow reviver for texts without marked numbers, which are most. */
function parse(text: string): unknown {
  return text.includes(ESCAPED_MARK) ? JSON.parse(text, unmark) : JSON.parse(text);
}

/** Prefix of digits that must not become a double; also put before a string that starts with it. */
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
