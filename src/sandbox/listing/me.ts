import { QUOTAS } from "../../base/vocabulary.ts";
import type { Limits } from "../http/limits.ts";
import { SERVICE_VERSION } from "../version.ts";

/** `GET /v4/me`; limits are null without a plan. */
export function describeKey(limits: Limits, now: number) {
  const rate = limits.plan === "none" ? null : QUOTAS[limits.plan].perSecond;
  return {
    version: SERVICE_VERSION,
    created_at: new Date(now).toISOString(),
    success: true,
    error: null,
    data: {
      id: "sandbox",
      full_name: "Sandbox User",
      email: "sandbox@example.org",
      plan: limits.plan === "none" ? "ENTERPRISE" : limits.plan.toUpperCase(),
      roles: ["user"],
      rate_limit: { limit: rate, remaining: rate, reset: rate === null ? null : 1 },
      credits: { remaining: limits.remaining, reset: limits.remaining === null ? null : limits.resetsAt },
    },
    total_records: 1,
  };
}
