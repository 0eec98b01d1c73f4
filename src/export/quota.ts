/** The cost of an export in requests, compared with the key's daily quota. */
import { formatCount, formatNumber } from "../base/phrases.ts";
import { MAX_CODES } from "../base/vocabulary.ts";
import { listBatches, type Plan, type PlannedRequest } from "../plan/plan.ts";
import { LIMITED } from "../plan/request-path.ts";
import type { Query } from "../query/query.ts";
import type { KeyLimits, PlanLimits } from "../settings/key-limits.ts";
import type { Job } from "./job.ts";

/** Share of the smaller quota above which the cost is noted before the first request. */
const NOTABLE_SHARE = 0.1;

export function isCostly(requests: number, { perDay, perMonth = Infinity, isCounted }: KeyLimits): boolean {
  return isCounted && requests > NOTABLE_SHARE * Math.min(perDay, perMonth);
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

/**
 * `10 % of a community key's 500 requests a day`, and of those a month if the service counts them; undefined for a plan
 * without a quota.
 */
export function describeShare(requests: number, { plan, perDay, perMonth = Infinity }: PlanLimits): string | undefined {
  const quotas = (
    [
      [perDay, "day"],
      [perMonth, "month"],
    ] as const
  ).filter(([quota]) => Number.isFinite(quota));
  const shares = quotas.map(([quota, period], index) => {
    const percent = 100 * requests < quota ? "less than 1" : formatNumber(sharePercent(requests, quota));
    return `${percent} % of ${index === 0 ? `${nameKey(plan)}'s` : "its"} ${formatNumber(quota)} requests a ${period}`;
  });
  return shares.join(" and ") || undefined;
}

/** The days that requests take by the quotas of a key; 1 if they fit into one. */
export function countDays(requests: number, { perDay, perMonth = Infinity }: PlanLimits): number {
  const months = Math.max(0, Math.ceil(requests / perMonth) - 1);
  const rest = requests - (months === 0 ? 0 : months * perMonth);
  return months * DAYS_OF_MONTH + Math.max(1, Math.ceil(rest / perDay));
}

const DAYS_OF_MONTH = 30;

/** `an academic key` */
export function nameKey(plan: string): string {
  return `${/^[aeio]/.test(plan) ? "an" : "a"} ${plan} key`;
}

/** Rounded up; 0 without a quota. */
export function sharePercent(requests: number, quota: number): number {
  return Math.ceil((100 * requests) / quota);
}
