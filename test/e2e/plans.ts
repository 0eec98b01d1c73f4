/** `GET /v4/plans` of the public service: a bare array of the visible plans. */
import { INTERVAL_NAMES, listDays } from "../support/intervals.ts";

/** The public service names no limit for fy. */
const NAMED = INTERVAL_NAMES.filter((interval) => interval !== "fy");
const USER_WINDOWS = listDays("community", NAMED);
const LONG_WINDOWS = listDays("paid", NAMED);
const FREE = { price: "Free", license: "Non-commercial use", visible: true };

const PLANS = {
  COMMUNITY: {
    code: "COMMUNITY",
    name: "Community",
    description: "For hobbyists and initial experiments",
    daily_credits: 500,
    burst_rate_limit: "2/s",
    key_limit: 1,
    bucket_limits: USER_WINDOWS,
    period_limit_days: 730,
    historical_data: "2 years",
    features: ["Community support"],
    cta: "upgrade",
    ...FREE,
  },
  ACADEMIC: {
    code: "ACADEMIC",
    name: "Academic",
    description: "For researchers and students at accredited institutions",
    daily_credits: 2000,
    burst_rate_limit: "2/s",
    key_limit: 5,
    bucket_limits: LONG_WINDOWS,
    period_limit_days: -1,
    historical_data: "Full",
    features: ["Community support"],
    cta: "academic",
    ...FREE,
  },
  ENTERPRISE: {
    code: "ENTERPRISE",
    name: "Enterprise",
    description: "For organisations that need full access and support",
    price: "Custom",
    daily_credits: -1,
    burst_rate_limit: "10/s",
    key_limit: -1,
    bucket_limits: LONG_WINDOWS,
    period_limit_days: -1,
    historical_data: "Full",
    license: "Commercial use",
    features: ["Priority email support"],
    visible: true,
    cta: "contact",
  },
} as const;

/** The plans with changed values, or further plans. */
export function listPlans(changes: Readonly<Record<string, object>> = {}): object[] {
  const codes = new Set([...Object.keys(PLANS), ...Object.keys(changes)]);
  return [...codes].map((code) => ({
    ...PLANS.COMMUNITY,
    code,
    ...(PLANS as Record<string, object>)[code],
    ...changes[code],
  }));
}
