/** Decoded answers of a service. */
import { type Json, type JsonObject, toJsonText } from "../base/json.ts";
import type { EntsError } from "../base/errors.ts";
import { parseStamp } from "../time/stamp.ts";
import { hasOwnDateRange } from "./join.ts";
import type { Inside } from "./buckets/gap-evidence.ts";
import { findFirstInstant, findLastInstant } from "./overlap.ts";
import type { TimeSeries } from "./time-series.ts";

/** The fields of v4.md's envelope in its order, then unknown ones. `data` is null here, as the answer has the series. */
export type Envelope = JsonObject;

/** One answer: its TimeSeries, or its raw data if their shape is unknown. */
export type Answer = KnownAnswer | UnknownAnswer;

interface AnyAnswer {
  readonly envelope: Envelope;
  /** Path and parameters of its request. */
  readonly path?: string | undefined;
}

export interface KnownAnswer extends AnyAnswer {
  readonly timeSeries: readonly TimeSeries[];
  /** All of its series, where a part of them is used: they show how the service fills gaps. */
  readonly whole?: readonly TimeSeries[];
  /** What all of its points have shown, where some of them may be missing here; the hash is that of its series and points. */
  readonly seen?: { readonly inside: Inside; readonly hash: string };
  /** What was assumed of unclear data. */
  readonly warnings?: readonly string[];
  /** Why rows of it are missing. */
  readonly incomplete?: EntsError;
}

export interface UnknownAnswer extends AnyAnswer {
  readonly data: readonly Json[];
  /** Names the place, what was expected and what was received. */
  readonly problem: EntsError;
}

export function isKnown(answer: Answer): answer is KnownAnswer {
  return "timeSeries" in answer;
}

export function isUnknown(answer: Answer): answer is UnknownAnswer {
  return !isKnown(answer);
}

/** An answer without data. `createdAt`: ISO 8601. */
export function createEmptyAnswer(version: Json | undefined, createdAt: string): KnownAnswer {
  const envelope = { version: version ?? "", created_at: createdAt, success: true, error: null, data: null, total_records: null };
  return { envelope, timeSeries: [] };
}

/** An answer without its data. */
export interface AnswerHead extends AnyAnswer {
  readonly hasData: boolean;
  /** Whether a series names other first and last timestamps than its TimeSeries; by default it does. */
  readonly hasOwnDateRange?: boolean;
  /** The first and the last instant of its points, in milliseconds since 1970 UTC; undefined where it has none. */
  readonly span?: readonly [first: number, last: number] | undefined;
}

/** `from`: earlier points of it are not used. */
export function headOf(answer: Answer, from = Number.NEGATIVE_INFINITY): AnswerHead {
  const { envelope, path } = answer;
  if (isUnknown(answer)) return { envelope, path, hasData: answer.data.length > 0 };
  const { timeSeries } = answer;
  const [first, last] = [Math.max(findFirstInstant(timeSeries), from), findLastInstant(timeSeries)];
  const span = first <= last ? ([first, last] as const) : undefined;
  return { envelope, path, hasData: timeSeries.length > 0, hasOwnDateRange: hasOwnDateRange(timeSeries), span };
}

/** One envelope for several answers: the first with data, and the latest `created_at` of those with data: that of "no data" may be ours. */
export function joinEnvelopes(heads: readonly AnswerHead[]): Envelope {
  const withData = heads.filter(({ hasData }) => hasData);
  const dated = withData.length > 0 ? withData : heads;
  const first = dated[0] ?? createEmptyAnswer(undefined, "");
  const envelopes = heads.map(({ envelope }) => envelope);
  const totals = new Set(envelopes.map(({ total_records: total }) => toJsonText(total ?? null)));
  const created = dated.map(({ envelope }) => envelope["created_at"] ?? null).reduce(laterStamp, null);
  return { ...first.envelope, created_at: created, ...(totals.size > 1 ? { total_records: null } : {}) };
}

function laterStamp(a: Json, b: Json): Json {
  if (a === null) return b;
  const instant = (stamp: Json) => (typeof stamp === "string" ? parseStamp(stamp, "") : undefined) ?? 0;
  return instant(b) > instant(a) ? b : a;
}
