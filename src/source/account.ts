/** The account of a token: `GET /v4/me`, which is not part of v4 and may be missing. */
import { EntsError, messageOf } from "../base/errors.ts";
import { isLosslessNumber, isObject } from "../base/json.ts";
import type { Surroundings } from "../base/report.ts";
import { createShowText } from "../base/shown-text.ts";
import { isLessThanADayOld } from "../files/stored-list.ts";
import { describeMissingToken } from "../settings/credentials.ts";
import { findPlanLimits, type PlanLimits } from "../settings/key-limits.ts";
import { MAX_PLANS_SIZE, parsePlans, type PlanList, storedPlans } from "../settings/plans.ts";
import type { Token } from "../settings/token.ts";
import { fetchJson, type RequestValues } from "./open-service.ts";
import { withTimeLimit } from "./retry.ts";

/** In bytes; an account takes a few lines. */
const MAX_BODY = 1024 * 1024;

/**
 * The plan of the token and the requests left today. Undefined if the service does not support this path; fields of an unexpected
 * type are ignored.
 * @throws {EntsError} authentication: the token was refused; unavailable: the service could not be reached.
 */
export async function readAccount(
  address: { baseUrl: URL; token: Token },
  { fetch, ...surroundings }: Surroundings & { readonly fetch: Omit<RequestValues, "maxBody"> },
) {
  try {
    const json = await fetchJson("/v4/me", { ...fetch, maxBody: MAX_BODY, ...address }, surroundings);
    const data = isObject(json) ? json["data"] : undefined;
    if (!isObject(data)) return undefined;
    const plan = typeof data["plan"] === "string" ? data["plan"].trim() : "";
    const left = isObject(data["credits"]) ? data["credits"]["remaining"] : undefined;
    return { plan: createShowText(address.token.value)(plan) || undefined, creditsLeft: isLosslessNumber(left) ? left.value : undefined };
  } catch (error) {
    if (error instanceof EntsError && error.kind === "refused") return undefined;
    throw error;
  }
}

/** The limits of a plan, from the service's list or built in; undefined if the plan is in neither. */
export async function fetchPlanLimits(plan: string | undefined, baseUrl: URL, surroundings: Surroundings): Promise<PlanLimits | undefined> {
  return plan === undefined ? undefined : findPlanLimits(plan, await refreshPlans(baseUrl, surroundings));
}

/** Short, because the command has already done its own work. */
const TIME_LIMIT_MS = 2000;

/** The stored list if it is less than a day old, else a new one; if that cannot be fetched, the old one or undefined. */
export async function refreshPlans(baseUrl: URL, { context, report }: Surroundings): Promise<PlanList | undefined> {
  const kept = storedPlans.read(baseUrl.href, context);
  if (kept && isLessThanADayOld(kept, context.now())) return kept;
  // Sent without the token: the list is public.
  const request = { baseUrl, token: describeMissingToken(baseUrl), timeout: TIME_LIMIT_MS, retries: 0, maxBody: MAX_PLANS_SIZE };
  try {
    const json = await withTimeLimit(context, TIME_LIMIT_MS, (patient) => fetchJson("/v4/plans", request, { context: patient, report }));
    const plans = parsePlans(json);
    const list = plans && { receivedAt: context.now(), plans };
    if (list) storedPlans.store(baseUrl.href, list, context);
    else report.detail(`${baseUrl.origin} lists its plans in an unknown form`);
    return list ?? kept;
  } catch (error) {
    context.signal.throwIfAborted();
    report.detail(`${baseUrl.origin} does not list its plans: ${messageOf(error)}`);
    return kept;
  }
}
