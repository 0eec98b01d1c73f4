import { type Interval, INTERVALS, QUOTAS } from "../../base/vocabulary.ts";
import type { KeyUse } from "../http/limits.ts";
import { SERVICE_VERSION } from "../refusal.ts";

/** What the public service says of the plans that anybody may see, besides limits. */
const FACTS = {
  community: {
    name: "Community",
    description: "For hobbyists and initial experiments",
    price: "Free",
    key_limit: 1,
    license: "Non-commercial use",
    features: ["Community support"],
    cta: "upgrade",
  },
  academic: {
    name: "Academic",
    description: "For researchers and students at accredited institutions",
    price: "Free",
    key_limit: 5,
    license: "Non-commercial use",
    features: ["Community support"],
    cta: "academic",
  },
  enterprise: {
    name: "Enterprise",
    description: "For organisations that need full access and support",
    price: "Custom",
    key_limit: -1,
    license: "Commercial use",
    features: ["Priority email support"],
    cta: "contact",
  },
} as const;

type Plan = keyof typeof FACTS;

/** `GET /v4/plans`, a bare array. -1 is without limit. */
export function listPlans() {
  return (Object.keys(FACTS) as Plan[]).map((plan) => {
    const { name, description, price, key_limit, license, features, cta } = FACTS[plan];
    const { perDay, perSecond, historyDays } = QUOTAS[plan];
    return {
      code: plan.toUpperCase(),
      name,
      description,
      price,
      daily_credits: limitOf(perDay),
      burst_rate_limit: `${perSecond}/s`,
      key_limit,
      bucket_limits: listBucketLimits(plan === "community" ? "community" : "paid"),
      period_limit_days: limitOf(historyDays),
      historical_data: Number.isFinite(historyDays) ? `${historyDays / 365} years` : "Full",
      license,
      features,
      visible: true,
      cta,
    };
  });
}

function limitOf(count: number): number {
  return Number.isFinite(count) ? count : -1;
}

/** Days by interval. The public service has no limit for financial years, and falls back to a week. */
function listBucketLimits(kind: "community" | "paid"): Record<string, number> {
  const listed = (Object.keys(INTERVALS) as Interval[]).filter((interval) => interval !== "fy");
  return Object.fromEntries(listed.map((interval) => [interval, INTERVALS[interval].maxDays[kind]]));
}

const SECOND = 1000;

/** `GET /v4/me`; what is not set is left out, as are the limits without a plan. */
export function describeKey(limits: KeyUse, now: number) {
  return {
    version: SERVICE_VERSION,
    created_at: new Date(now).toISOString(),
    success: true,
    data: {
      id: "sandbox",
      full_name: "Sandbox User",
      email: "sandbox@example.org",
      plan: limits.plan === "none" ? "ENTERPRISE" : limits.plan.toUpperCase(),
      roles: ["user"],
      ...(limits.plan === "none" ? {} : describeLimits(limits, { ...QUOTAS[limits.plan], now })),
    },
  };
}

function describeLimits(limits: KeyUse, { perSecond, now }: { perSecond: number; now: number }) {
  return {
    rate_limit: { limit: perSecond, remaining: perSecond, reset: new Date(now + SECOND).toISOString() },
    credits: { remaining: limits.remaining, reset: limits.resetsAt },
  };
}
