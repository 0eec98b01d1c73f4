/** What an export costs of the requests that its key has a day. */
import { formatCount, formatNumber } from "../base/numbers.ts";
import { type KeyPlan, QUOTAS } from "../base/vocabulary.ts";
import type { Report } from "../base/report.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import type { Plan, PlannedRequest } from "../plan/plan.ts";
import { findPlan, isPublic } from "../settings/credentials.ts";
import { findBaseUrl, type Settings } from "../settings/settings.ts";
import type { AnswerCache } from "../source/kept/cache.ts";

/** The plan of the key in use: the stored one, else a community key on the public service; undefined where it cannot be known. */
export function findQuotaPlan({ sandbox, baseUrl }: FetchValues, settings: Settings): KeyPlan | undefined {
  if (sandbox) return undefined;
  const address = findBaseUrl(baseUrl, settings);
  return findPlan(address, settings) ?? (isPublic(address) ? "community" : undefined);
}

/** More than so much of a day's requests is told before the first one. */
const NOTABLE_SHARE = 0.1;

export function isCostly(requests: number, plan: KeyPlan): boolean {
  return requests > NOTABLE_SHARE * QUOTAS[plan].perDay;
}

interface Cost {
  readonly keyPlan: KeyPlan | undefined;
  /** Its answers cost nothing. */
  readonly cache: AnswerCache | undefined;
  readonly plan: Plan;
  readonly report: Report;
}

/** Before the first request, where they are a large part of a day's. */
export async function tellCost(requests: readonly PlannedRequest[], { keyPlan, cache, plan, report }: Cost): Promise<void> {
  if (!keyPlan || !isCostly(requests.length, keyPlan)) return;
  const missing = (await cache?.countMissing(requests)) ?? requests.length;
  if (isCostly(missing, keyPlan)) report.note(`${describeRequests(missing, plan)}, ${describeShare(missing, keyPlan)}`);
}

/** `47 requests, up to 1 more`: a window that is split may take a look across a gap. */
export function describeRequests(requests: number, { windows }: Pick<Plan, "windows">): string {
  return `${formatCount(requests, "request")}${windows.length > 1 ? ", up to 1 more" : ""}`;
}

/** `10 % of a community key's 500 requests a day`; undefined for a plan without a quota. */
export function describeShare(requests: number, plan: KeyPlan): string | undefined {
  const { perDay } = QUOTAS[plan];
  if (!Number.isFinite(perDay)) return undefined;
  const percent = 100 * requests < perDay ? "less than 1" : formatNumber(sharePercent(requests, plan));
  return `${percent} % of ${/^[ae]/.test(plan) ? "an" : "a"} ${plan} key's ${formatNumber(perDay)} requests a day`;
}

/** Rounded up; 0 for a plan without a quota. */
export function sharePercent(requests: number, plan: KeyPlan): number {
  return Math.ceil((100 * requests) / QUOTAS[plan].perDay);
}
