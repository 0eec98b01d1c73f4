/** The plans of a service's keys (`GET /v4/plans`), stored on disk. */
import { isObject, type Json, toJsonText } from "../base/json.ts";
import { findRule, hasFixedLength, type Interval, isInterval, type MaxDays } from "../base/intervals.ts";
import { ListStore, type StoredList } from "../files/stored-list.ts";
import { DAY } from "../time/local-time.ts";

/** The fields of a plan that ents uses, by the service's names. */
interface ListedPlan {
  readonly code: string;
  /** Requests per day; -1 for no quota. */
  readonly daily_credits: number;
  /** Requests per month, of services that count them; -1 for no quota. */
  readonly monthly_credits?: number | undefined;
  /** Such as `2/s`. */
  readonly burst_rate_limit: string;
  /** How many days back data are available; -1 for all. */
  readonly period_limit_days: number;
  /** Maximum window of one request, in days. */
  readonly bucket_limits: MaxDays;
  /** What the data may be used for, such as `Non-commercial use`. */
  readonly license?: string | undefined;
}

export interface PlanList extends StoredList {
  readonly plans: readonly ListedPlan[];
}

export const PLANS_PATH = "/v4/plans";

/** In bytes; four plans take 3 KB. */
export const MAX_PLANS_SIZE = 64 * 1024;

export const storedPlans = new ListStore<PlanList>({
  folder: "plans",
  version: 2,
  maxSize: MAX_PLANS_SIZE,
  isWhole: ({ plans }) => plans?.every(isPlan),
});

/** The plans of a response; undefined if it is not a list of plans, or if one of them is implausible. */
export function parsePlans(json: Json): ListedPlan[] | undefined {
  const plans = JSON.parse(toJsonText(json)) as ListedPlan[];
  if (!Array.isArray(plans) || plans.length === 0 || !plans.every(isPlan)) return undefined;
  return plans.map(({ code, daily_credits, monthly_credits, ...plan }) => {
    const { burst_rate_limit, period_limit_days, bucket_limits, license } = plan;
    const used = Object.entries(bucket_limits).filter(([interval]) => isInterval(interval) && hasFixedLength(interval));
    const named = matchesText(license, LICENCE) ? { license } : {};
    return {
      code,
      daily_credits,
      ...(isQuota(monthly_credits) ? { monthly_credits } : {}),
      burst_rate_limit,
      period_limit_days,
      bucket_limits: Object.fromEntries(used),
      ...named,
    };
  });
}

/** A line of text. */
const LICENCE = /^[^\p{Cc}]{1,200}$/u;

/** Without a schema library, which would take time to load for a small request. */
function isPlan(plan: Partial<ListedPlan> | null): boolean {
  const { code, daily_credits, burst_rate_limit, period_limit_days, bucket_limits: windows } = plan ?? {};
  return (
    matchesText(code, /^[\w -]{1,40}$/) &&
    matchesText(burst_rate_limit, /^[1-9]\d{0,3}\/s$/) &&
    [daily_credits, period_limit_days].every(isQuota) &&
    isObject(windows) &&
    Object.entries(windows).every(
      ([interval, days]) => !isInterval(interval) || !hasFixedLength(interval) || isWindow(days, interval),
    )
  );
}

function matchesText(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

/** True if missing, or at least as long as an interval. */
function isWindow(days: unknown, interval: Interval): boolean {
  const rule = findRule(interval);
  return days === undefined || (isCount(days) && "ms" in rule && days * DAY >= rule.ms);
}

function isQuota(count: unknown): boolean {
  return count === -1 || isCount(count);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
