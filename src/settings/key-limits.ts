/**
 * The limits of the key in use: those of its plan, from the service's list or built in; of a community key if the plan
 * is unknown.
 */
import type { Context } from "../base/context.ts";
import { formatCount, formatNumber } from "../base/phrases.ts";
import { FIXED_INTERVALS, type Interval, listMaxDays, type MaxDays } from "../base/intervals.ts";
import { findKeyPlan, type KeyPlan, QUOTAS } from "../base/vocabulary.ts";
import { type FetchValues, FETCH_OPTIONS } from "../options/fetch-options.ts";
import { fitsEveryInterval, defaultMaxWindow, type MaxWindow } from "../plan/limits.ts";
import { findPlan, hasToken, isPublic } from "./credentials.ts";
import { type PlanList, storedPlans } from "./plans.ts";
import { findBaseUrl, type Settings, readConfig } from "./settings.ts";

export interface PlanLimits {
  /** In lower case. */
  readonly plan: string;
  /** Requests per day; Infinity for no quota. */
  readonly perDay: number;
  /** Requests per month, if the service names a quota for it. */
  readonly perMonth?: number | undefined;
  readonly perSecond: number;
  /** How many days back data are available; Infinity for all. */
  readonly historyDays: number;
  /** Maximum window of one request, in days. */
  readonly maxDays: MaxDays;
  /** The licence of its data, as the service names it. */
  readonly license?: string | undefined;
}

export interface KeyLimits extends PlanLimits {
  /** True if the service is known to count requests per day, as it does for keys. */
  readonly isCounted: boolean;
  /** True if the service is known to have plans, so that it refuses a start before their history. */
  readonly isOfPlan: boolean;
}

/** The limits of the key for a base address. Reads one small file at most, and makes no request. */
export function findKeyLimits(
  { baseUrl, sandbox }: Pick<FetchValues, "baseUrl" | "sandbox">,
  settings: Settings,
  around: Pick<Context, "env" | "cwd">,
): KeyLimits {
  if (sandbox) return { ...COMMUNITY, isCounted: false, isOfPlan: false };
  const address = findBaseUrl(baseUrl, settings);
  const plans = storedPlans.read(address.href, around);
  const own = findPlanLimits(findPlan(address, settings), plans);
  if (own) return { ...own, isCounted: true, isOfPlan: true };
  // On the public service, a key is a community key until more is known. Requests without a key have its limits, and
  // its licence.
  const { license, ...limits } = findPlanLimits("community", plans) ?? COMMUNITY;
  const isKey = hasToken(address, settings);
  return {
    ...limits,
    license: isKey ? undefined : license,
    isCounted: isPublic(address) && isKey,
    isOfPlan: isPublic(address),
  };
}

/** Undefined if the plan is neither in the service's list nor built in. */
export function findPlanLimits(name: string | undefined, list: PlanList | undefined): PlanLimits | undefined {
  const plan = name?.toLowerCase();
  const listed = list?.plans.find(({ code }) => code.toLowerCase() === plan);
  const known = findKeyPlan(plan);
  if (!listed) return known && describePlan(known);
  return {
    plan: listed.code.toLowerCase(),
    perDay: orInfinity(listed.daily_credits),
    perMonth: listed.monthly_credits === -1 ? undefined : listed.monthly_credits,
    perSecond: Number.parseInt(listed.burst_rate_limit, 10),
    historyDays: orInfinity(listed.period_limit_days),
    maxDays: { ...describePlan(known ?? "community").maxDays, ...listed.bucket_limits },
    license: listed.license,
  };
}

/** `500 requests a day, 10,000 a month, 2 a second; data of the last 730 days` */
export function describePlanLimits({ perDay, perMonth, perSecond, historyDays }: PlanLimits): string {
  const monthly = perMonth === undefined ? "" : `, ${formatNumber(perMonth)} a month`;
  const requests = Number.isFinite(perDay)
    ? `${formatCount(perDay, "request")} a day${monthly}, ${perSecond} a second`
    : `${formatCount(perSecond, "request")} a second${monthly}`;
  return `${requests}; data of ${Number.isFinite(historyDays) ? `the last ${formatCount(historyDays, "day")}` : "all years"}`;
}

/** The maximum windows of one request: `8d at 5m, 32d at 1h, 366d at 1d, 366d at 7d` */
export function describeWindows({ maxDays }: PlanLimits): string {
  return FIXED_INTERVALS.map((interval) => `${maxDays[interval]}d at ${interval}`).join(", ");
}

/** The built-in limits of a plan. */
function describePlan(plan: KeyPlan): PlanLimits {
  const kind = plan === "community" ? "community" : "paid";
  return { plan, ...QUOTAS[plan], maxDays: listMaxDays(kind) };
}

const COMMUNITY = describePlan("community");

function orInfinity(count: number): number {
  return count === -1 ? Number.POSITIVE_INFINITY : count;
}

/**
 * The values of the fetch flags for a query, each from the first of: flag, config, limits of the key's plan, default.
 */
export function resolveFetch<T extends FetchValues>(
  values: T,
  settings: Settings,
  { interval, keyLimits }: { readonly interval: Interval | undefined; readonly keyLimits: PlanLimits },
): T & { readonly concurrency: number } {
  return {
    ...values,
    maxWindow:
      values.maxWindow ??
      findMaxWindow(settings, interval) ??
      (interval && defaultMaxWindow(interval, keyLimits.maxDays)),
    rate: values.rate ?? (values.sandbox ? undefined : findRate(settings, keyLimits)),
    // The sandbox has no cache. The flag is kept, so that a note can say so.
    cache: values.cache ?? (values.sandbox ? undefined : readConfig("cache", settings)),
    concurrency: values.concurrency ?? readConfig("concurrency", settings) ?? FETCH_OPTIONS.concurrency.default,
  };
}

/** The stored setting, for intervals that fit in it: it applies to all commands, and may be too short for some. */
function findMaxWindow(settings: Settings, interval: Interval | undefined): MaxWindow | undefined {
  const stored = readConfig("maxWindow", settings);
  return stored === undefined || interval === undefined || fitsEveryInterval(stored, interval) ? stored : undefined;
}

/** Requests per second: the stored setting, else the limit of the key's plan. */
export function findRate(settings: Settings, { perSecond }: PlanLimits): number {
  return readConfig("rate", settings) ?? perSecond;
}
