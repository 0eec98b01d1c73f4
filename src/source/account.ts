/** The account of a token: `GET /v4/me`, which is not part of v4 and may be missing. */
import { EntsError, messageOf } from "../base/errors.ts";
import { isLosslessNumber, isObject, type JsonObject } from "../base/json.ts";
import type { Surroundings } from "../base/report.ts";
import { createShowText } from "../base/shown-text.ts";
import { isLessThanADayOld } from "../files/stored-list.ts";
import { describeMissingToken } from "../settings/credentials.ts";
import { findPlanLimits, type PlanLimits } from "../settings/key-limits.ts";
import { MAX_PLANS_SIZE, parsePlans, PLANS_PATH, type PlanList, storedPlans } from "../settings/plans.ts";
import type { Token } from "../settings/token.ts";
import type { ClientEvent } from "./client.ts";
import { fetchJson, type RequestValues } from "./open-service.ts";
import { withTimeLimit } from "./retry.ts";

/** In bytes; an account takes a few lines. */
const MAX_BODY = 1024 * 1024;

interface AccountResponse {
  readonly plan: string | undefined;
  readonly creditsLeft: string | undefined;
  /** Requests left, by a header of the response; they may be those of a shorter period than a day. */
  readonly left: string | undefined;
}

/**
 * The plan of the token and the requests left. Undefined if the service does not support this path; fields of an
 * unexpected type are ignored.
 * @throws {EntsError} authentication: the token was refused; unavailable: the service could not be reached.
 */
export async function readAccount(
  address: { baseUrl: URL; token: Token },
  { fetch, ...surroundings }: Surroundings & { readonly fetch: Omit<RequestValues, "maxBody"> },
): Promise<AccountResponse | undefined> {
  let left: string | undefined;
  const onEvent = (event: ClientEvent) => {
    if (event.type === "response") left = event.left;
  };
  try {
    const json = await fetchJson("/v4/me", { ...fetch, maxBody: MAX_BODY, ...address }, { ...surroundings, onEvent });
    const data = isObject(json) ? (json["data"] ?? json) : undefined;
    if (!isObject(data)) return undefined;
    const plan = typeof data["plan"] === "string" ? data["plan"].trim() : "";
    return { plan: createShowText(address.token.value)(plan) || undefined, creditsLeft: readCredits(data), left };
  } catch (error) {
    if (error instanceof EntsError && error.kind === "refused") return undefined;
    throw error;
  }
}

/**
 * Where the public service and its clients have had the requests left today: `credits.remaining`, `credits`,
 * `meta.remaining`.
 */
function readCredits(data: JsonObject): string | undefined {
  const places = ["credits", "quota", "meta"].flatMap((name) => {
    const place = data[name];
    return isObject(place) ? [place["remaining"]] : [place];
  });
  const digits = places.map((place) => (isLosslessNumber(place) ? place.value : place));
  return digits.find((text): text is string => typeof text === "string" && /^\d{1,12}$/.test(text));
}

/** The limits of a plan, from the service's list or built in; undefined if the plan is in neither. */
export async function fetchPlanLimits(
  plan: string | undefined,
  baseUrl: URL,
  surroundings: Surroundings,
): Promise<PlanLimits | undefined> {
  return plan === undefined ? undefined : findPlanLimits(plan, await refreshPlans(baseUrl, surroundings));
}

/** Short, because the command has already done its own work. */
const TIME_LIMIT_MS = 2000;

/**
 * The stored list if it is less than a day old, else a new one; if that cannot be fetched, the old one or undefined.
 */
export async function refreshPlans(baseUrl: URL, { context, report }: Surroundings): Promise<PlanList | undefined> {
  const stored = storedPlans.read(baseUrl.href, context);
  if (stored && isLessThanADayOld(stored, context.now())) return stored;
  // Sent without the token: the list is public.
  const request = {
    baseUrl,
    token: describeMissingToken(baseUrl),
    timeout: TIME_LIMIT_MS,
    retries: 0,
    maxBody: MAX_PLANS_SIZE,
  };
  try {
    const json = await withTimeLimit(context, TIME_LIMIT_MS, (patient) =>
      fetchJson(PLANS_PATH, request, { context: patient, report }),
    );
    const plans = parsePlans(json);
    const list = plans && { receivedAt: context.now(), plans };
    if (list) await storedPlans.store(baseUrl.href, list, context);
    else report.detail(`${baseUrl.origin} lists its plans in an unknown form`);
    return list ?? stored;
  } catch (error) {
    context.signal.throwIfAborted();
    report.detail(`${baseUrl.origin} does not list its plans: ${messageOf(error)}`);
    return stored;
  }
}
