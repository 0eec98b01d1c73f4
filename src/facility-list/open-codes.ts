/**
 * Lists a service's facilities: stored for a day, else fetched (`GET /v4/facilities/`, which is not part of v4 and may
 * be missing).
 */
import type { Context } from "../base/context.ts";
import { EntsError, messageOf } from "../base/errors.ts";
import { formatCount } from "../base/phrases.ts";
import type { Surroundings } from "../base/report.ts";
import { isLessThanADayOld } from "../files/stored-list.ts";
import { FETCH_FLAGS, type FetchValues } from "../options/fetch-options.ts";
import { STORED_LIST_FLAGS } from "../options/list-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { requireToken } from "../settings/credentials.ts";
import { findBaseUrl, type Settings } from "../settings/settings.ts";
import { refreshPlans } from "../source/account.ts";
import { fetchJson } from "../source/open-service.ts";
import { withTimeLimit } from "../source/retry.ts";
import { DAY, HOUR } from "../time/local-time.ts";
import { FACILITIES_PATH, listSandbox, parseFacilities } from "./parse-facilities.ts";
import { type CodeList, storedCodes } from "./stored-codes.ts";

interface CodesRequest {
  readonly fetch: Pick<FetchValues, "baseUrl" | "timeout" | "retries" | "sandbox">;
  readonly settings: Settings;
  /** True to fetch the list even if a recent one is stored. */
  readonly refresh?: boolean;
  /** True to fetch the limits of the service's plans along with the list. */
  readonly fetchesPlans?: boolean;
}

/** In bytes; 1,500 units take a megabyte, with the descriptions of their facilities. */
const MAX_BODY = 64 * 1024 * 1024;

/**
 * The stored list if it is recent, else a new one; if that cannot be fetched, the old one, with a warning.
 * @throws {EntsError} refused (such as no list on this service), unavailable, authentication: no list was fetched, and
 * none is stored or `refresh` is set.
 */
export async function loadCodes(request: CodesRequest, surroundings: Surroundings): Promise<CodeList> {
  const { fetch, settings, refresh, fetchesPlans } = request;
  const { context, report } = surroundings;
  if (fetch.sandbox) {
    report.note(`synthetic facilities (${FETCH_FLAGS.sandbox})`);
    return listSandbox(context);
  }
  const baseUrl = findBaseUrl(fetch.baseUrl, settings);
  const stored = storedCodes.read(baseUrl.href, context);
  if (stored && !refresh && isLessThanADayOld(stored, context.now())) return stored;
  try {
    const list = await fetchCodes(baseUrl, request, surroundings);
    // An empty list is a fault of the service, and storing it would make it last a day.
    if (list.facilities.length > 0) await storedCodes.store(baseUrl.href, list, context);
    else if (stored) throw new EntsError("unavailable", `${baseUrl.origin} lists no facilities`);
    if (fetchesPlans) await refreshPlans(baseUrl, surroundings);
    return list;
  } catch (error) {
    if (!stored || refresh || !(error instanceof EntsError)) throw error;
    report.warn(`${messageOf(error)}; using the list of facilities from ${new Date(stored.receivedAt).toISOString()}`);
    return stored;
  }
}

async function fetchCodes(
  baseUrl: URL,
  { fetch, settings }: CodesRequest,
  surroundings: Surroundings,
): Promise<CodeList> {
  const token = await requireToken(baseUrl, { settings, context: surroundings.context });
  const receivedAt = surroundings.context.now();
  try {
    const json = await fetchJson(FACILITIES_PATH, { ...fetch, maxBody: MAX_BODY, baseUrl, token }, surroundings);
    return { receivedAt, facilities: parseFacilities(json) };
  } catch (error) {
    if (!(error instanceof EntsError) || error.refusal?.status !== 404) throw error;
    throw new EntsError("refused", `${baseUrl.origin} does not list facilities (GET ${FACILITIES_PATH})`, {
      cause: error,
    });
  }
}

/**
 * The age of a stored list. Undefined in the first hour; and after a day, as `loadCodes` has then warned that fetching
 * it failed.
 */
export function describeAge({ receivedAt }: CodeList, now: number): string | undefined {
  const hours = Math.floor((now - receivedAt) / HOUR);
  if (hours < 1 || now - receivedAt >= DAY) return undefined;
  return `the list of facilities is ${formatCount(hours, "hour")} old; use ${STORED_LIST_FLAGS.refresh} to fetch a new one`;
}

/** The date of a list that is more than a day old, for commands that do not fetch it again; else undefined. */
export function describeOldList({ receivedAt }: CodeList, now: number): string | undefined {
  if (now - receivedAt <= DAY) return undefined;
  return `the list of facilities is from ${new Date(receivedAt).toISOString().slice(0, 10)}; run 'ents list facilities' to fetch a new one`;
}

/** The list available without a request: the sandbox's, or the stored one, whatever its age. */
export async function readCodesWithoutRequest(
  { fetch, settings }: { readonly fetch: Pick<FetchValues, "baseUrl" | "sandbox">; readonly settings: Settings },
  context: Context,
): Promise<CodeList | undefined> {
  return fetch.sandbox ? listSandbox(context) : storedCodes.read(findBaseUrl(fetch.baseUrl, settings).href, context);
}

/** Short, because the export is done and the list is only used for its warnings. */
const TIME_LIMIT_MS = 10_000;

/** Fetches the list without messages or retries; undefined if the service does not have it or takes too long. */
export async function fetchCodesQuietly(
  { fetch, settings }: CodesRequest,
  { context, report }: Surroundings,
): Promise<CodeList | undefined> {
  const silent = { ...report, note: () => {}, warn: () => {}, detail: () => {} };
  const request = { fetch: { ...fetch, retries: 0 }, settings };
  try {
    return await withTimeLimit(context, TIME_LIMIT_MS, (patient) =>
      loadCodes(request, { context: patient, report: silent }),
    );
  } catch {
    return undefined;
  }
}

export const CODE_FLAGS = { facility: QUERY_FLAGS.facilityCode, unit: QUERY_FLAGS.unitCode };
