/** What a stored response has, noted in its heading, so that the rules need not decode it. Pure. */
import * as z from "zod/mini";
import type { Interval } from "../base/intervals.ts";
import { findNetwork } from "../base/vocabulary.ts";
import type { KnownResponse } from "../series/decoded-response.ts";
import { findGapSigns } from "../series/intervals/grid.ts";
import { countValues } from "../series/overlap.ts";
import { timestampAt } from "../series/point-operations.ts";
import type { TimeSeries } from "../series/time-series.ts";
import { findSuffix } from "../time/timestamp.ts";

const responseSchema = z.object({
  /** By network and metric. */
  units: z.record(z.string(), z.string()),
  /** How timestamps are written, with zeros as digits: `0000-00-00T00:00:00+10:00`. */
  spelling: z.optional(z.string()),
  /** The names of the labels, for each kind of series. */
  labels: z.array(z.string()),
});

/** What all responses of one output must have in common. */
type ResponseSchema = Readonly<z.output<typeof responseSchema>>;

export const factsSchema = z.object({
  /** The number of points in its segment that have a value. */
  values: z.number(),
  /** The name that it has on disk. */
  form: responseSchema,
  /** Whether gaps are filled; undefined if it does not show. */
  fills: z.optional(z.boolean()),
  /** Of the service. */
  version: z.optional(z.string()),
  /** Accepted with `--overwrite`: what older responses have does not count beside it. */
  accepted: z.optional(z.boolean()),
});

export type ResponseSummary = Readonly<z.output<typeof factsSchema>>;

/** `decoded`: the part of the response that lies in its segment. */
export function describeResponse(
  { envelope, timeSeries, whole = timeSeries }: KnownResponse,
  interval: Interval,
): ResponseSummary {
  const { hasMissingInterval, hasNull } = findGapSigns(whole, interval);
  const { version } = envelope;
  return {
    values: countValues(timeSeries),
    form: readSchema(timeSeries.filter(hasPoints)),
    fills: hasMissingInterval ? false : hasNull || undefined,
    version: typeof version === "string" ? version : undefined,
  };
}

function readSchema(timeSeries: readonly TimeSeries[]): ResponseSchema {
  return {
    units: Object.fromEntries(timeSeries.map(({ network, metric, unit }) => [`${network} ${metric}`, unit])),
    spelling: findSpelling(timeSeries),
    labels: [
      ...new Set(
        timeSeries.flatMap(({ network, series }) =>
          series.map(({ labels }) => `${network} ${Object.keys(labels).join()}`),
        ),
      ),
    ],
  };
}

function hasPoints({ series }: TimeSeries): boolean {
  return series.some(({ points }) => points.instants.length > 0);
}

/** True if points of two responses cannot stand in one output. Responses without points have none. */
export function hasOtherSchema(schema: ResponseSchema, other: ResponseSchema): boolean {
  const hasOtherUnit = Object.entries(schema.units).some(([key, unit]) => (other.units[key] ?? unit) !== unit);
  return hasOtherUnit || differ(schema.spelling, other.spelling) || hasOtherLabels(schema, other);
}

/** True if no kind of series has the same labels: points of the same instant then have other names. */
export function hasOtherLabels({ labels }: ResponseSchema, { labels: others }: ResponseSchema): boolean {
  return labels.length > 0 && others.length > 0 && !others.some((names) => labels.includes(names));
}

function differ(one: unknown, other: unknown): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** The UTC offset counts only for networks that are known to have no daylight saving. */
function findSpelling([first]: readonly TimeSeries[]): string | undefined {
  const points = first?.series.find((series) => series.points.instants.length > 0)?.points;
  if (!first || !points) return undefined;
  const timestamp = timestampAt(points, 0);
  const suffix = findNetwork(first.network) ? (findSuffix(timestamp) ?? "") : "";
  return timestamp.slice(0, timestamp.length - suffix.length).replaceAll(/\d/g, "0") + suffix;
}
