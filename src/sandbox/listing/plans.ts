import { INTERVALS, type ListedInterval } from "../../base/intervals.ts";
import { QUOTAS, type CommandName, type Metric, METRICS, NETWORKS } from "../../base/vocabulary.ts";
import type { KeyUse } from "../http/limits.ts";
import { SERVICE_VERSION } from "../refusal.ts";
import { MEASURES } from "../series/series.ts";
import { REGIONS } from "../fleet/regions.ts";

/** The public service's description of its listed plans, without the limits. */
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

/** `GET /v4/plans`, a bare array. -1 means no limit. */
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
      bucket_limits: listIntervalLimits(plan === "community" ? "community" : "paid"),
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

/** Maximum days by interval. The public service lists no limit for financial years, and falls back to a week. */
function listIntervalLimits(kind: "community" | "paid"): Record<string, number> {
  const listed = (Object.keys(INTERVALS) as ListedInterval[]).filter((interval) => interval !== "fy");
  return Object.fromEntries(listed.map((interval) => [interval, INTERVALS[interval].maxDays[kind]]));
}

const SECOND = 1000;

/** `GET /v4/me`, without fields that have no value; without a plan, also without limits. */
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

/** `GET /v4/metrics`. */
export function listSandboxMetrics() {
  const names = Object.keys(METRICS) as Metric[];
  const described = names.map((name) => {
    const { unit, meaning } = METRICS[name];
    return [
      name,
      {
        name,
        unit,
        description: meaning,
        default_aggregation: MEASURES[name].aggregate === "sum" ? "sum" : "avg",
        precision: 4,
      },
    ];
  });
  return {
    metrics: Object.fromEntries(described) as Record<Metric, object>,
    total: names.length,
    endpoints: { market: listOffered("market"), data: listOffered("network") },
  };
}

function listOffered(command: CommandName): Metric[] {
  return (Object.keys(METRICS) as Metric[]).filter((name) => METRICS[name].offeredBy.includes(command));
}

const NETWORK_FACTS = {
  NEM: { label: "National Electricity Market", timezone: "Australia/Brisbane" },
  WEM: { label: "Wholesale Electricity Market", timezone: "Australia/Perth" },
  AU: { label: "Australia", timezone: "Australia/Brisbane" },
} as const satisfies Record<keyof typeof NETWORKS, object>;

/** `GET /v4/networks`, a bare array. AU has the regions of both networks. */
export function listNetworks() {
  const codes = Object.keys(NETWORKS) as (keyof typeof NETWORKS)[];
  return codes.map((code) => {
    const regions = REGIONS.filter((region) => code === "AU" || region.network === code);
    return {
      code,
      country: "au",
      ...NETWORK_FACTS[code],
      interval_size: 5,
      regions: regions.map((region) => ({ code: region.code })),
    };
  });
}
