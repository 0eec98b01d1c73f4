/** What an export costs of the requests that its key has a day. */
import { formatCount, formatNumber } from "../base/phrases.ts";
import type { Report } from "../base/report.ts";
import type { Plan, PlannedRequest } from "../plan/plan.ts";
import type { KeyLimits, PlanLimits } from "../settings/key-limits.ts";
import type { AnswerCache } from "../source/kept/cache.ts";

/** More than so much of a day's requests is told before the first one. */
const NOTABLE_SHARE = 0.1;

export function isCostly(requests: number, { perDay, isCounted }: KeyLimits): boolean {
  return isCounted && requests > NOTABLE_SHARE * perDay;
}

interface Cost {
  readonly keyLimits: KeyLimits;
  /** Its answers cost nothing. */
  readonly cache: AnswerCache | undefined;
  readonly plan: Plan;
  readonly report: Report;
}

/** Before the first request, where they are a large part of a day's. */
export async function tellCost(requests: readonly PlannedRequest[], { keyLimits, cache, plan, report }: Cost): Promise<void> {
  if (!isCostly(requests.length, keyLimits)) return;
  const missing = (await cache?.countMissing(requests)) ?? requests.length;
  if (isCostly(missing, keyLimits)) report.note(`${describeRequests(missing, plan)}, ${describeShare(missing, keyLimits)}`);
}

/** `47 requests, up to 1 more`: a window that is split may take a look across a gap. */
export function describeRequests(requests: number, { windows }: Pick<Plan, "windows">): string {
  return `${formatCount(requests, "request")}${windows.length > 1 ? ", up to 1 more" : ""}`;
}

/** `10 % of a community key's 500 requests a day`; undefined for a plan without a quota. */
export function describeShare(requests: number, limits: PlanLimits): string | undefined {
  const { plan, perDay } = limits;
  if (!Number.isFinite(perDay)) return undefined;
  const percent = 100 * requests < perDay ? "less than 1" : formatNumber(sharePercent(requests, limits));
  return `${percent} % of ${/^[aeio]/.test(plan) ? "an" : "a"} ${plan} key's ${formatNumber(perDay)} requests a day`;
}

/** Rounded up; 0 for a plan without a quota. */
export function sharePercent(requests: number, { perDay }: PlanLimits): number {
  return Math.ceil((100 * requests) / perDay);
}
