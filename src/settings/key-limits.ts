/** The limits of the key in use: its plan's, as the service lists them, else as ents knows them; of any other key a community key's. */
import type { Context } from "../base/context.ts";
import { formatCount } from "../base/phrases.ts";
import { findKeyPlan, INTERVALS, type Interval, type KeyPlan, QUOTAS } from "../base/vocabulary.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { SPLIT_INTERVALS } from "../plan/limits.ts";
import { findPlan, hasToken, isPublic } from "./credentials.ts";
import { type PlanList, readPlans } from "./plans.ts";
import { findBaseUrl, type Settings } from "./settings.ts";

export interface PlanLimits {
  /** In small letters. */
  readonly plan: string;
  /** Requests; Infinity: no quota. */
  readonly perDay: number;
  /** Requests. */
  readonly perSecond: number;
  /** How far back its data go; Infinity: all. */
  readonly historyDays: number;
  /** Maximum window of one request, in days. */
  readonly maxDays: Readonly<Record<Interval, number>>;
}

export interface KeyLimits extends PlanLimits {
  /** Whether the service is known to count the requests of a day: it counts those of keys. */
  readonly isCounted: boolean;
}

/** The limits of the key for a base address. It reads a small file at most, and makes no request. */
export function findKeyLimits(
  { baseUrl, sandbox }: Pick<FetchValues, "baseUrl" | "sandbox">,
  settings: Settings,
  around: Pick<Context, "env" | "cwd">,
): KeyLimits {
  if (sandbox) return { ...COMMUNITY, isCounted: false };
  const address = findBaseUrl(baseUrl, settings);
  const plans = readPlans(address, around);
  const own = findPlanLimits(findPlan(address, settings), plans);
  // On the public service, a key is a community key until more is known.
  if (!own) return { ...(findPlanLimits("community", plans) ?? COMMUNITY), isCounted: isPublic(address) && hasToken(address, settings) };
  return { ...own, isCounted: true };
}

/** Undefined for a plan that neither the service's list nor ents knows. */
export function findPlanLimits(name: string | undefined, list: PlanList | undefined): PlanLimits | undefined {
  const plan = name?.toLowerCase();
  const listed = list?.plans.find(({ code }) => code.toLowerCase() === plan);
  const known = findKeyPlan(plan);
  if (!listed) return known && describePlan(known);
  return {
    plan: listed.code.toLowerCase(),
    perDay: orInfinity(listed.daily_credits),
    perSecond: Number.parseInt(listed.burst_rate_limit, 10),
    historyDays: orInfinity(listed.period_limit_days),
    maxDays: { ...describePlan(known ?? "community").maxDays, ...listed.bucket_limits },
  };
}

/** `500 requests a day, 2 a second; data of the last 730 days` */
export function describeLimits({ perDay, perSecond, historyDays }: PlanLimits): string {
  const requests = Number.isFinite(perDay)
    ? `${formatCount(perDay, "request")} a day, ${perSecond} a second`
    : `${formatCount(perSecond, "request")} a second`;
  return `${requests}; data of ${Number.isFinite(historyDays) ? `the last ${formatCount(historyDays, "day")}` : "all years"}`;
}

/** How long one request may be: `8d at 5m, 32d at 1h, 366d at 1d, 366d at 7d` */
export function describeWindows({ maxDays }: PlanLimits): string {
  return SPLIT_INTERVALS.map((interval) => `${maxDays[interval]}d at ${interval}`).join(", ");
}

/** A plan as ents knows it. */
function describePlan(plan: KeyPlan): PlanLimits {
  const kind = plan === "community" ? "community" : "paid";
  const maxDays = Object.entries(INTERVALS).map(([interval, facts]) => [interval, facts.maxDays[kind]] as const);
  return { plan, ...QUOTAS[plan], maxDays: Object.fromEntries(maxDays) as PlanLimits["maxDays"] };
}

const COMMUNITY = describePlan("community");

function orInfinity(count: number): number {
  return count === -1 ? Number.POSITIVE_INFINITY : count;
}
