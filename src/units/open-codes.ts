/** The facilities of a service: kept for a day, else asked for (`GET /v4/facilities/`, which is not in v4.md and may be missing). */
import type { Context } from "../base/context.ts";
import { EntsError, messageOf } from "../base/errors.ts";
import { formatCount } from "../base/phrases.ts";
import type { Surroundings } from "../base/report.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { isOfToday } from "../files/stored-list.ts";
import { KEPT_FLAGS } from "../options/list-options.ts";
import { requireToken } from "../settings/credentials.ts";
import { findBaseUrl, type Settings } from "../settings/settings.ts";
import { DAY, MINUTE } from "../time/local-time.ts";
import { type Client, createClient } from "../source/client.ts";
import { resolveSettings } from "../source/open-service.ts";
import { refreshPlans } from "../source/plans.ts";
import { type CodeList, findCodesFile, storeCodes, readStoredCodes } from "./stored-codes.ts";
import { listSandbox } from "./list-sandbox.ts";
import { parseFacilities } from "./parse-facilities.ts";

export interface CodesRequest {
  readonly fetch: Pick<FetchValues, "baseUrl" | "timeout" | "retries" | "sandbox">;
  readonly settings: Settings;
  /** Whether a list that is kept is asked for anew. */
  readonly refresh: boolean;
  /** Whether the limits of the service's plans are asked for with it. */
  readonly learnsPlans?: boolean;
}

/** 1,500 units are a megabyte, with the descriptions of their facilities. */
const MAX_BODY = 64 * 1024 * 1024;
const PATH = "/v4/facilities/";

/**
 * The list that is kept, or a new one; where that cannot be had, an old one, which is told.
 * @throws {EntsError} refused: the service has no such list; unavailable, authentication: there is none yet.
 */
export async function openCodes(request: CodesRequest, { context, report }: Surroundings): Promise<CodeList> {
  const { fetch, settings, refresh } = request;
  if (fetch.sandbox) {
    report.note("these facilities are synthetic: they come from the sandbox inside ents");
    return listSandbox(context);
  }
  const baseUrl = findBaseUrl(fetch.baseUrl, settings);
  const path = findCodesFile(baseUrl.href, context);
  const kept = readStoredCodes(path, baseUrl.href);
  if (kept && !refresh && isOfToday(kept, context.now())) return kept;
  try {
    const token = requireToken(baseUrl, settings);
    const options = { ...resolveSettings({ ...fetch, maxBody: MAX_BODY }, { report }), baseUrl, token };
    const list = await fetchCodes(createClient(options, context), context, baseUrl.origin);
    // A fault of a day must not last longer.
    if (list.facilities.length > 0) storeCodes(path, baseUrl.href, list);
    else if (kept) throw new EntsError("unavailable", `${baseUrl.origin} lists no facilities`);
    if (request.learnsPlans) await refreshPlans(baseUrl, { context, report });
    return list;
  } catch (error) {
    if (!kept || refresh || !(error instanceof EntsError)) throw error;
    report.warn(`${messageOf(error)}; using the list of facilities from ${new Date(kept.receivedAt).toISOString()}`);
    return kept;
  }
}

/** When a kept list came; undefined for a new one, and for one that is kept too long, as it could not be asked for anew. */
export function describeAge({ receivedAt }: CodeList, now: number): string | undefined {
  const minutes = Math.floor((now - receivedAt) / MINUTE);
  if (minutes < 1 || now - receivedAt >= DAY) return undefined;
  const age = minutes < 120 ? formatCount(minutes, "minute") : formatCount(Math.floor(minutes / 60), "hour");
  return `the list of facilities is ${age} old; use ${KEPT_FLAGS.refresh} to fetch a new one`;
}

/** The age of a list that could not be asked for anew for more than a day, for a command without a flag for it. */
export function describeOldList({ receivedAt }: CodeList, now: number): string | undefined {
  if (now - receivedAt <= DAY) return undefined;
  return `the list of facilities is from ${new Date(receivedAt).toISOString().slice(0, 10)}; run 'ents list facilities' to fetch a new one`;
}

/** The one that is kept, however old it is: without a request. */
export function readCodes({ fetch, settings }: Omit<CodesRequest, "refresh">, context: Context): CodeList | undefined {
  const service = findBaseUrl(fetch.baseUrl, settings).href;
  return readStoredCodes(findCodesFile(service, context), service);
}

async function fetchCodes(client: Client, { now }: Context, origin: string): Promise<CodeList> {
  try {
    return { receivedAt: now(), facilities: parseFacilities(await client.getJson(PATH)) };
  } catch (error) {
    if (!(error instanceof EntsError) || error.refusal?.status !== 404) throw error;
    throw new EntsError("refused", `${origin} does not list facilities (GET ${PATH})`, { cause: error });
  } finally {
    await client.close();
  }
}
