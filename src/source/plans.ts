/** The plans of a service's keys: `GET /v4/plans`, which is public, not in v4.md, and may be missing. */
import { messageOf } from "../base/errors.ts";
import type { Surroundings } from "../base/report.ts";
import { isOfToday } from "../files/stored-list.ts";
import { describeMissingToken } from "../settings/credentials.ts";
import { findPlanLimits, type PlanLimits } from "../settings/key-limits.ts";
import { keepPlans, type ListedPlan, MAX_PLANS_SIZE, parsePlans, type PlanList, readPlans } from "../settings/plans.ts";
import { createClient } from "./client.ts";
import { resolveSettings } from "./open-service.ts";
import { withPatience } from "./retry.ts";

/** What the command was called for is done already. */
const PATIENCE_MS = 2000;

/** The limits of a plan as the service lists them now, else as ents knows them; undefined for one that neither knows. */
export async function learnPlanLimits(plan: string | undefined, baseUrl: URL, surroundings: Surroundings): Promise<PlanLimits | undefined> {
  return plan === undefined ? undefined : findPlanLimits(plan, await refreshPlans(baseUrl, surroundings));
}

/** The list that is kept for a day, else a new one; where that cannot be had, the old one, or none. */
export async function refreshPlans(baseUrl: URL, { context, report }: Surroundings): Promise<PlanList | undefined> {
  const kept = readPlans(baseUrl, context);
  if (kept && isOfToday(kept, context.now())) return kept;
  try {
    const plans = await withPatience(context, PATIENCE_MS, (patient) => fetchPlans(baseUrl, { context: patient, report }));
    const list = plans && { receivedAt: context.now(), plans };
    if (list) keepPlans(baseUrl, list, context);
    else report.detail(`${baseUrl.origin} does not list its plans as ents knows them`);
    return list ?? kept;
  } catch (error) {
    context.signal.throwIfAborted();
    report.detail(`${baseUrl.origin} does not list its plans: ${messageOf(error)}`);
    return kept;
  }
}

/** Without the token: anybody may know them. */
async function fetchPlans(baseUrl: URL, { context, report }: Surroundings): Promise<ListedPlan[] | undefined> {
  const values = { timeout: PATIENCE_MS, retries: 0, maxBody: MAX_PLANS_SIZE };
  const client = createClient({ ...resolveSettings(values, { report }), baseUrl, token: describeMissingToken(baseUrl) }, context);
  try {
    return parsePlans(await client.getJson("/v4/plans"));
  } finally {
    await client.close();
  }
}
