import { QUOTAS } from "../../base/vocabulary.ts";
import type { Limits } from "../http/limits.ts";
import { SERVICE_VERSION } from "../version.ts";

const SECOND = 1000;

/** `GET /v4/me`; what is not set is left out, as are the limits without a plan. */
export function describeKey(limits: Limits, now: number) {
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

function describeLimits(limits: Limits, { perSecond, now }: { perSecond: number; now: number }) {
  return {
    rate_limit: { limit: perSecond, remaining: perSecond, reset: new Date(now + SECOND).toISOString() },
    credits: { remaining: limits.remaining, reset: limits.resetsAt },
  };
}
