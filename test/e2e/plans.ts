/** What `GET /v4/plans` of the public service answers: a bare array of the plans that are to be seen. */
const USER_WINDOWS = { "5m": 8, "1h": 32, "1d": 366, "7d": 366, "1M": 732, "3M": 1830, season: 1830, "1y": 3700 };
const LONG_WINDOWS = { "5m": 30, "1h": 365, "1d": 3650, "7d": 3650, "1M": 36500, "3M": 36500, season: 36500, "1y": 36500 };
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

/** With other values of a plan, or other plans. */
export function listPlans(changes: Readonly<Record<string, object>> = {}): object[] {
  const codes = new Set([...Object.keys(PLANS), ...Object.keys(changes)]);
  return [...codes].map((code) => ({ ...PLANS.COMMUNITY, code, ...(PLANS as Record<string, object>)[code], ...changes[code] }));
}
