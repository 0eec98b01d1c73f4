/** What a stored response has, noted in its heading, so that the rules need not decode it. Pure. */
import * as z from "zod/mini";
import { findBucket, type Interval } from "../base/intervals.ts";
import { findNetwork } from "../base/vocabulary.ts";
import type { KnownAnswer } from "../series/answer.ts";
import { findGapSigns } from "../series/buckets/grid.ts";
import { countValues } from "../series/overlap.ts";
import { stampAt } from "../series/point-operations.ts";
import type { Points } from "../series/points.ts";
import type { TimeSeries } from "../series/time-series.ts";
import { formatLocalTime } from "../time/local-time.ts";
import { findSuffix, readClock } from "../time/stamp.ts";

const formSchema = z.object({
  /** By network and metric. */
  units: z.record(z.string(), z.string()),
  /** How timestamps are written, with zeros as digits: `0000-00-00T00:00:00+10:00`. */
  spelling: z.optional(z.string()),
  /** The names of the labels, for each kind of series. */
  labels: z.array(z.string()),
  /** Where its intervals start: milliseconds, or the day and time in the month; undefined if they start in several places. */
  phase: z.optional(z.union([z.number(), z.string()])),
});

/** What all responses of one output must have in common. */
export type Form = Readonly<z.output<typeof formSchema>>;

export const factsSchema = z.object({
  /** The number of points in its cell that have a value. */
  values: z.number(),
  form: formSchema,
  /** Whether gaps are filled; undefined if it does not show. */
  fills: z.optional(z.boolean()),
  /** Of the service. */
  version: z.optional(z.string()),
  /** Accepted with `--overwrite`: what older responses have does not count beside it. */
  accepted: z.optional(z.boolean()),
});

export type Facts = Readonly<z.output<typeof factsSchema>>;

/** `answer`: the part of the response that lies in its cell. */
export function describeAnswer({ envelope, timeSeries, whole = timeSeries }: KnownAnswer, interval: Interval): Facts {
  const { hasMissingBucket, hasNull } = findGapSigns(whole, interval);
  const { version } = envelope;
  return {
    values: countValues(timeSeries),
    form: describeForm(timeSeries.filter(hasPoints), interval),
    fills: hasMissingBucket ? false : hasNull || undefined,
    version: typeof version === "string" ? version : undefined,
  };
}

function describeForm(timeSeries: readonly TimeSeries[], interval: Interval): Form {
  const phases = new Set(timeSeries.flatMap(({ series }) => series.flatMap(({ points }) => listPhases(points, interval))));
  return {
    units: Object.fromEntries(timeSeries.map(({ network, metric, unit }) => [`${network} ${metric}`, unit])),
    spelling: findSpelling(timeSeries),
    labels: [
      ...new Set(timeSeries.flatMap(({ network, series }) => series.map(({ labels }) => `${network} ${Object.keys(labels).join()}`))),
    ],
    phase: phases.size === 1 ? [...phases][0] : undefined,
  };
}

function hasPoints({ series }: TimeSeries): boolean {
  return series.some(({ points }) => points.instants.length > 0);
}

/** True if points of two responses cannot stand in one output. Responses without points have no form. */
export function isOtherForm(one: Form, other: Form): boolean {
  const hasOtherUnit = Object.entries(one.units).some(([key, unit]) => (other.units[key] ?? unit) !== unit);
  return hasOtherUnit || differ(one.spelling, other.spelling) || hasOtherLabels(one, other) || startsElsewhere(one, other);
}

/** True if no kind of series has the same labels: points of the same instant then have other names. */
export function hasOtherLabels({ labels: some }: Form, { labels: others }: Form): boolean {
  return some.length > 0 && others.length > 0 && !others.some((one) => some.includes(one));
}

/** True if the intervals of one start elsewhere than those of the other. */
export function startsElsewhere(one: Form, other: Form): boolean {
  return differ(one.phase, other.phase) && !differ(one.spelling, other.spelling);
}

function differ(one: unknown, other: unknown): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** The UTC offset counts only for networks that are known to have no daylight saving. */
function findSpelling([first]: readonly TimeSeries[]): string | undefined {
  const points = first?.series.find((one) => one.points.instants.length > 0)?.points;
  if (!first || !points) return undefined;
  const stamp = stampAt(points, 0);
  const suffix = findNetwork(first.network) ? (findSuffix(stamp) ?? "") : "";
  return stamp.slice(0, stamp.length - suffix.length).replaceAll(/\d/g, "0") + suffix;
}

/** Timestamps read per series. */
const PROBES = 100;

/** By the clock in the timestamps. The first and last of a series may be those of partial intervals. Seasons and financial years are labels. */
function listPhases(points: Points, interval: Interval): (number | string)[] {
  if (interval === "season" || interval === "fy") return [];
  const bucket = findBucket(interval);
  const { length } = points.instants;
  const phases: (number | string)[] = [];
  for (let index = 1; index < length - 1; index += Math.ceil(length / PROBES)) {
    const clock = readClock(stampAt(points, index));
    phases.push("ms" in bucket ? clock % bucket.ms : formatLocalTime(clock).slice("2025-01-".length));
  }
  return phases;
}
