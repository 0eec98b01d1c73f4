/** ents as a library. */
import { createClient, type Client, type ClientOptions } from "./source/client.ts";
import { FETCH_OPTIONS } from "./options/fetch-options.ts";
import { createFleet } from "./facility-list/create-fleet.ts";
import { FACILITIES_PATH, parseFacilities } from "./facility-list/parse-facilities.ts";
import type { Query } from "./query/query.ts";
import { parseOptions, parseValue } from "./options/parse.ts";
import { checkToken, checkTransport } from "./settings/token.ts";
import { createProcessContext } from "./main/process-context.ts";
import { DEFAULT_RETRY } from "./source/retry.ts";
import { createZone } from "./time/iana-zone.ts";
import {
  createZonedPrinter as createPrinter,
  type TimestampPrinter,
  type TimeFormat,
} from "./time/timestamp-printer.ts";

export type { Client, ClientEvent } from "./source/client.ts";
export type { ReadResponse, Received, Source } from "./source/source.ts";
export { EntsError, type ErrorKind } from "./base/errors.ts";
export { fetchSeries, type SeriesOptions } from "./source/fetch-series.ts";
export { FORMAT_NAMES, type FormatName } from "./format/registry.ts";
export type { FormatOptions } from "./format/format.ts";
export { ColumnsChanged } from "./format/encode.ts";
export { printSeries, printTable, type PrintOptions } from "./format/print.ts";
export type { QueryInput } from "./options/query-options.ts";
export type { MaxWindow } from "./plan/limits.ts";
export {
  listRequests,
  planQuery,
  type Plan,
  type PlanFacts,
  type PlannedRequest,
  type PlannedWindow,
} from "./plan/plan.ts";
export { buildQuery, type QueryRequest, querySchemas } from "./query/build-query.ts";
export type { Query, QueryResult } from "./query/query.ts";
export { toTable } from "./series/layout/create-layout.ts";
export type { Cell, Column, Row, Table } from "./series/layout/layout.ts";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox/sandbox.ts";
export {
  type DecodedResponse,
  type DecodedHead,
  type Envelope,
  isKnown,
  type KnownResponse,
  type UnknownResponse,
} from "./series/decoded-response.ts";
export type { Chunk } from "./series/merge.ts";
export { joinTimeSeries } from "./series/join.ts";
export { parseJson, toJsonText } from "./base/json.ts";
export type { Points } from "./series/points.ts";
export { decodeBody } from "./decode/decode.ts";
export type { Label, Series, TimeSeries } from "./series/time-series.ts";
export { INTERVALS, type Interval } from "./base/intervals.ts";
export { COMPUTED_METRICS, type ComputedMetric } from "./base/computed-metrics.ts";
export { METRICS, NETWORKS, type CommandName, type Metric } from "./base/vocabulary.ts";
export type { TimestampPrinter, TimeFormat } from "./time/timestamp-printer.ts";

export interface ConnectOptions {
  /**
   * The API key, sent to the base address only. Default: none; the public service needs none for network and market.
   */
  readonly token?: string | undefined;
  /** Default: the public service. */
  readonly baseUrl?: string;
  /** Retries after a temporary failure; default: that of `--retries`. */
  readonly retries?: number;
  /** Timeout to connect, for the first byte and between bytes, in milliseconds; default: that of `--timeout`. */
  readonly timeoutMs?: number;
  /** Maximum size of one response in bytes, decompressed; default: that of `--max-body`. */
  readonly maxBody?: number;
  /** Maximum requests per second; default: that of `--rate`. */
  readonly rate?: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: ClientOptions["onEvent"];
}

/**
 * Creates a client of a v4 service. Uses the proxies from the environment. Call `close` when done.
 * @throws {EntsError} usage: an invalid base address; authentication: a token would be sent over plain http.
 */
export function connect({
  token,
  baseUrl = FETCH_OPTIONS.baseUrl.default,
  signal,
  ...options
}: ConnectOptions = {}): Client {
  const address = parseValue("address", baseUrl, "baseUrl");
  const defaults = parseOptions(FETCH_OPTIONS, {});
  const from = "from connect";
  if (token !== undefined) checkTransport(address);
  return createClient(
    {
      baseUrl: address,
      token:
        token === undefined
          ? { value: undefined, message: `no token for ${address.origin}`, hint: "pass a token to connect" }
          : { value: checkToken(token, from), source: from, replace: "pass another token to connect" },
      retry: { ...DEFAULT_RETRY, retries: options.retries ?? defaults.retries },
      timeoutMs: options.timeoutMs ?? defaults.timeout,
      maxBody: options.maxBody ?? defaults.maxBody,
      rate: options.rate === undefined ? FETCH_OPTIONS.rate.default : parseValue("rate", options.rate, "rate"),
      ...(options.onEvent ? { onEvent: options.onEvent } : {}),
    },
    createProcessContext(signal ?? new AbortController().signal),
  );
}

/**
 * Adds the service's list of units to a query of facilities: `capacity_factor` and `groupBy` need it, and other
 * computed metrics know by it what a unit is. @throws {EntsError} refused: the service has no such list; unavailable;
 * authentication.
 */
export async function addUnits(query: Query, { client }: { readonly client: Client }): Promise<Query> {
  const { computation, units } = query;
  if (!computation) return query;
  const list = { receivedAt: Date.now(), facilities: parseFacilities(await client.getJson(FACILITIES_PATH)) };
  return { ...query, computation: { ...computation, fleet: createFleet(list, { ...query, computation }, units) } };
}

/**
 * Creates a function that prints timestamps in a time zone: `network` (as the service sent them), `utc`, or an IANA
 * zone. The format `local` prints wall-clock time in that zone.
 * @throws {EntsError} usage: unknown zone.
 */
export function createTimestampPrinter(timeZone: string, timeFormat?: TimeFormat): TimestampPrinter {
  return createPrinter(createZone(timeZone), timeFormat);
}
