/** The plans of a service's keys, as it describes them (`GET /v4/plans`), kept on disk. */
import type { Context } from "../base/context.ts";
import { isObject, type Json, toJsonText } from "../base/json.ts";
import { INTERVALS, type Interval } from "../base/vocabulary.ts";
import { findListFile, storeList, type ListFile, type StoredList, readStoredList } from "../files/stored-list.ts";
import { SPLIT_INTERVALS } from "../plan/limits.ts";
import { DAY } from "../time/local-time.ts";

/** What is used of a plan, by the service's names. */
export interface ListedPlan {
  readonly code: string;
  /** Requests; -1: no quota. */
  readonly daily_credits: number;
  /** `2/s` */
  readonly burst_rate_limit: string;
  /** How far back its data go; -1: all. */
  readonly period_limit_days: number;
  /** Maximum window of one request, in days. */
  readonly bucket_limits: Readonly<Partial<Record<Interval, number>>>;
}

export interface PlanList extends StoredList {
  readonly plans: readonly ListedPlan[];
}

/** Four plans take 3 KB. */
export const MAX_PLANS_SIZE = 64 * 1024;
const VERSION = 1;

type Around = Pick<Context, "env" | "cwd">;

/** The list that is kept, however old it is. */
export function readPlans(service: URL, around: Around): PlanList | undefined {
  return readStoredList<PlanList>(fileOf(service, around), MAX_PLANS_SIZE, ({ plans }) => plans?.every(isPlan));
}

export function keepPlans(service: URL, list: PlanList, around: Around): void {
  storeList(fileOf(service, around), list);
}

function fileOf({ href }: URL, around: Around): ListFile {
  return { path: findListFile("plans", href, around), service: href, version: VERSION };
}

/** The plans of an answer; undefined where it is none, or one of them cannot be true. */
export function parsePlans(json: Json): ListedPlan[] | undefined {
  const plans = JSON.parse(toJsonText(json)) as ListedPlan[];
  if (!Array.isArray(plans) || plans.length === 0 || !plans.every(isPlan)) return undefined;
  return plans.map(({ code, daily_credits, burst_rate_limit, period_limit_days, bucket_limits }) => {
    const used = Object.entries(bucket_limits).filter(([interval]) => (SPLIT_INTERVALS as readonly string[]).includes(interval));
    return { code, daily_credits, burst_rate_limit, period_limit_days, bucket_limits: Object.fromEntries(used) };
  });
}

/** Without a library of schemas: a small request waits for it. */
function isPlan(one: Partial<ListedPlan> | null): boolean {
  const { code, daily_credits, burst_rate_limit, period_limit_days, bucket_limits: windows } = one ?? {};
  return (
    isText(code, /^[\w -]{1,40}$/) &&
    isText(burst_rate_limit, /^[1-9]\d{0,3}\/s$/) &&
    [daily_credits, period_limit_days].every((count) => count === -1 || isCount(count)) &&
    isObject(windows) &&
    SPLIT_INTERVALS.every((interval) => isWindow(windows[interval], interval))
  );
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}

/** Not shorter than a bucket; one that is missing is no fault. */
function isWindow(days: unknown, interval: Interval): boolean {
  const { bucket } = INTERVALS[interval];
  return days === undefined || (isCount(days) && "ms" in bucket && days * DAY >= bucket.ms);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
