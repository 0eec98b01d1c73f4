/** What a service answered, decoded once, and what several answers make together. */
import type { Json, JsonObject } from "../base/json.ts";
import { toJsonText } from "../base/json.ts";
import type { EntsError } from "../base/errors.ts";
import { parseStamp } from "../time/stamp.ts";
import type { TimeSeries } from "./time-series.ts";

/** The fields of v4.md's envelope in its order, then those that it does not know; `data` is null, and stands beside it. */
export type Envelope = JsonObject;

/** One answer: its TimeSeries, or, where their shape is not known, its data as it came. */
export type Answer = KnownAnswer | UnknownAnswer;

export interface KnownAnswer {
  readonly envelope: Envelope;
  readonly timeSeries: readonly TimeSeries[];
}

export interface UnknownAnswer {
  readonly envelope: Envelope;
  readonly data: readonly Json[];
  /** What was expected where, and what came. */
  readonly problem: EntsError;
}

export function isKnown(answer: Answer): answer is KnownAnswer {
  return "timeSeries" in answer;
}

export function isUnknown(answer: Answer): answer is UnknownAnswer {
  return !isKnown(answer);
}

/** The answer of a service that has no data. `createdAt`: ISO 8601. */
export function createEmptyAnswer(version: Json | undefined, createdAt: string): KnownAnswer {
  const envelope = { version: version ?? "", created_at: createdAt, success: true, error: null, data: null, total_records: null };
  return { envelope, timeSeries: [] };
}

/** The envelope of several answers: the first that has data, made when the last one was. */
export function joinEnvelopes(answers: readonly Answer[]): Envelope {
  const first = answers.find(hasData) ?? answers[0] ?? createEmptyAnswer(undefined, "");
  const envelopes = answers.map(({ envelope }) => envelope);
  const totals = new Set(envelopes.map(({ total_records: total }) => toJsonText(total ?? null)));
  const created = envelopes.map(({ created_at: stamp }) => stamp ?? null).reduce(laterStamp, null);
  return { ...first.envelope, created_at: created, ...(totals.size > 1 ? { total_records: null } : {}) };
}

function hasData(answer: Answer): boolean {
  return (isUnknown(answer) ? answer.data : answer.timeSeries).length > 0;
}

function laterStamp(a: Json, b: Json): Json {
  if (a === null) return b;
  const instant = (stamp: Json) => (typeof stamp === "string" ? parseStamp(stamp, "") : undefined) ?? 0;
  return instant(b) > instant(a) ? b : a;
}
