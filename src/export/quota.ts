/** The cost of an export in requests, compared with the key's daily quota. */
import { formatCount, formatNumber } from "../base/phrases.ts";
import { MAX_CODES } from "../base/vocabulary.ts";
import { listBatches, type Plan, type PlannedRequest } from "../plan/plan.ts";
import { LIMITED } from "../plan/request-path.ts";
import type { Query } from "../query/query.ts";
import type { KeyLimits, PlanLimits } from "../settings/key-limits.ts";
import type { Job } from "./job.ts";

/** Share of the daily quota above which the cost is noted before the first request. */
const NOTABLE_SHARE = 0.1;

export function isCostly(requests: number, { perDay, isCounted }: KeyLimits): boolean {
  return isCounted && requests > NOTABLE_SHARE * perDay;
}

/**
 * Notes the cost before the first request if the codes need several requests or the total is a large share of the daily
 * quota.
 */
export async function noteCost(
  requests: readonly PlannedRequest[],
  { keyLimits, plan, service, report }: Job,
): Promise<void> {
  const batches = describeBatches(requests.length, plan.query);
  if (batches !== undefined) report.note(batches);
  if (!isCostly(requests.length, keyLimits)) return;
  // Cached responses cost nothing.
  const missing = (await service.cache?.countMissing(requests)) ?? requests.length;
  if (isCostly(missing, keyLimits))
    report.note(`${describeRequests(missing, plan)}, ${describeShare(missing, keyLimits)}`);
}

/** `35 units need 2 requests; one takes at most 30`; undefined if one request per window holds all codes. */
function describeBatches(requests: number, query: Query): string | undefined {
  const batches = listBatches(query).length;
  // An earlier run has done some of them.
  if (batches < 2 || requests < batches) return undefined;
  const codes = query.parameters.filter(({ name }) => LIMITED.has(name)).map(({ values }) => values.length);
  if (codes.length === 0) return undefined;
  const what = query.units ? formatCount(query.units.length, "unit") : formatCount(Math.max(...codes), "code");
  return `${what} need ${formatCount(requests, "request")}; one takes at most ${MAX_CODES}`;
}

/** `47 requests, up to 1 more`: after a split, one more request across a gap may be needed. */
export function describeRequests(requests: number, { windows, query }: Pick<Plan, "windows" | "query">): string {
  // An earlier window is no split.
  const isSplit = windows.length > (query.earlier ? 2 : 1);
  return `${formatCount(requests, "request")}${isSplit ? ", up to 1 more" : ""}`;
}

/** `10 % of a community key's 500 requests a day`; undefined for a plan without a quota. */
export function describeShare(requests: number, limits: PlanLimits): string | undefined {
  const { plan, perDay } = limits;
  if (!Number.isFinite(perDay)) return undefined;
  const percent = 100 * requests < perDay ? "less than 1" : formatNumber(sharePercent(requests, limits));
  return `${percent} % of ${nameKey(plan)}'s ${formatNumber(perDay)} requests a day`;
}

/** `an academic key` */
export function nameKey(plan: string): string {
  return `${/^[aeio]/.test(plan) ? "an" : "a"} ${plan} key`;
}

/** Rounded up; 0 for a plan without a quota. */
export function sharePercent(requests: number, { perDay }: PlanLimits): number {
  return Math.ceil((100 * requests) / perDay);
}
