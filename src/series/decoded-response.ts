import { type Json, type JsonObject, toJsonText } from "../base/json.ts";
import { EntsError } from "../base/errors.ts";
import { isForecast } from "../base/vocabulary.ts";
import { parseTimestamp } from "../time/timestamp.ts";
import { findFirstInstant, findLastInstant, splitTimeSeries } from "./overlap.ts";
import { findLabel, findOffsetMs, type Label, type TimeSeries } from "./time-series.ts";

/** The envelope fields in v4's order, then unknown ones. `data` is null: the series are kept separately. */
export type Envelope = JsonObject;

/** A decoded response: its TimeSeries, or its raw data if the shape is unknown. */
export type DecodedResponse = KnownResponse | UnknownResponse;

interface AnyResponse {
  readonly envelope: Envelope;
  /** Path and query of the request. */
  readonly path?: string | undefined;
}

export interface KnownResponse extends AnyResponse {
  readonly timeSeries: readonly TimeSeries[];
  /** All series of the response, if only a part is used; needed to detect whether the service fills gaps. */
  readonly whole?: readonly TimeSeries[];
  /** Assumptions made about unclear data. */
  readonly warnings?: readonly string[];
  readonly incomplete?: EntsError;
}

export interface UnknownResponse extends AnyResponse {
  readonly data: readonly Json[];
  /** Names the place in the data, the expected shape and the received one. */
  readonly problem: EntsError;
}

export function isKnown(decoded: DecodedResponse): decoded is KnownResponse {
  return "timeSeries" in decoded;
}

export function isUnknown(decoded: DecodedResponse): decoded is UnknownResponse {
  return !isKnown(decoded);
}

/** A response without data. `createdAt`: ISO 8601. */
export function createEmptyResponse(version: Json | undefined, createdAt: string): KnownResponse {
  const envelope = {
    version: version ?? "",
    created_at: createdAt,
    success: true,
    error: null,
    data: null,
    total_records: null,
  };
  return { envelope, timeSeries: [] };
}

/** A response without its data. */
export interface DecodedHead extends AnyResponse {
  readonly hasData: boolean;
  /** First and last instant of its points, in milliseconds since 1970 UTC; undefined without points. */
  readonly span?: readonly [first: number, last: number] | undefined;
}

/** `from`: points before this instant are ignored. */
export function headOf(decoded: DecodedResponse, from = Number.NEGATIVE_INFINITY): DecodedHead {
  const { envelope, path } = decoded;
  if (isUnknown(decoded)) return { envelope, path, hasData: decoded.data.length > 0 };
  const { timeSeries } = decoded;
  const [first, last] = [Math.max(findFirstInstant(timeSeries), from), findLastInstant(timeSeries)];
  const span = first <= last ? ([first, last] as const) : undefined;
  return { envelope, path, hasData: timeSeries.length > 0, span };
}

/** When the service made the responses with data, in milliseconds since 1970 UTC, as far as they say. */
export function listCreated(heads: readonly DecodedHead[]): number[] {
  const timestamps = heads.filter(({ hasData }) => hasData).map(({ envelope }) => envelope["created_at"]);
  // UTC unless the timestamp has an offset, as in v4.
  return timestamps.flatMap((timestamp) =>
    typeof timestamp === "string" ? (parseTimestamp(timestamp, "Z") ?? []) : [],
  );
}

/**
 * Joins envelopes: the first with data, with the latest `created_at` of those with data, as ents may have made up that
 * of "no data".
 */
export function joinEnvelopes(heads: readonly DecodedHead[]): Envelope {
  const withData = heads.filter(({ hasData }) => hasData);
  const dated = withData.length > 0 ? withData : heads;
  const first = dated[0] ?? createEmptyResponse(undefined, "");
  const envelopes = heads.map(({ envelope }) => envelope);
  const totals = new Set(envelopes.map(({ total_records: total }) => toJsonText(total ?? null)));
  const created = dated.map(({ envelope }) => envelope["created_at"] ?? null).reduce(laterTimestamp, null);
  return { ...first.envelope, created_at: created, ...(totals.size > 1 ? { total_records: null } : {}) };
}

function laterTimestamp(a: Json, b: Json): Json {
  if (a === null) return b;
  const instant = (timestamp: Json) => (typeof timestamp === "string" ? parseTimestamp(timestamp, "") : undefined) ?? 0;
  return instant(b) > instant(a) ? b : a;
}

interface Used {
  readonly network: string;
  readonly measuredUntil?: number | undefined;
  readonly parameters: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/**
 * Keeps the part of a response that a query uses: the series of its regions if it names several, and measured points up
 * to their end. @throws {EntsError} refused: regions cannot be told apart in data of an unknown shape.
 */
export function selectUsed(decoded: DecodedResponse, { network, parameters, measuredUntil }: Used): DecodedResponse {
  const regions = parameters.find(({ name, values }) => name === "network_region" && values.length > 1)?.values;
  if (!regions && measuredUntil === undefined) return decoded;
  if (isUnknown(decoded)) {
    if (!regions) return decoded;
    throw decoded.problem.withHint(ONE_REGION);
  }
  const ofRegions = regions ? pickRegions(decoded, regions) : decoded;
  return {
    ...(measuredUntil === undefined ? ofRegions : endMeasured(ofRegions, network, measuredUntil)),
    whole: decoded.whole ?? decoded.timeSeries,
  };
}

function isSameRegion(region: string, label: Label): boolean {
  return typeof label === "string" && label.toLowerCase() === region.toLowerCase();
}

const ONE_REGION = "ask for one region at a time; the service filters that itself";

function pickRegions(decoded: KnownResponse, regions: readonly string[]): KnownResponse {
  const all = decoded.timeSeries.flatMap(({ series }) => series);
  if (all.length > 0 && all.every((series) => typeof findLabel(series, "region") !== "string"))
    throw new EntsError("refused", "the response does not say which region each series is for", { hint: ONE_REGION });
  const timeSeries = decoded.timeSeries
    .map((item) => ({
      ...item,
      series: item.series.filter((series) =>
        regions.some((region) => isSameRegion(region, findLabel(series, "region"))),
      ),
    }))
    .filter(({ series }) => series.length > 0);
  // The count includes the series left out.
  return { ...decoded, envelope: { ...decoded.envelope, total_records: null }, timeSeries };
}

/** Leaves out measured points from a time on. */
function endMeasured(decoded: KnownResponse, network: string, until: number): KnownResponse {
  const end = until - (findOffsetMs(network, decoded.timeSeries) ?? 0);
  const timeSeries = decoded.timeSeries.flatMap((item) =>
    isForecast(item.metric) ? [item] : splitTimeSeries([item], end)[0],
  );
  return { ...decoded, timeSeries };
}
