import { QUOTAS, type CommandName, type Metric, METRICS, NETWORKS } from "../../base/vocabulary.ts";
import type { KeyUse } from "./limits.ts";
import { SERVICE_VERSION, refuse } from "../refusal.ts";
import { MEASURES } from "../series/series.ts";
import { REGIONS } from "../fleet/regions.ts";
import { formatTimestamp } from "../../time/local-time.ts";
import { FUELTECH_GROUP_OF } from "../../base/fueltechs.ts";
import { localOfStep, type Step, stepOfInstant } from "../model/clock.ts";
import { type ModelUnit, UNITS } from "../model/units.ts";
import { EMISSION_FACTORS } from "../series/catalogue.ts";

/** Days of one request, by interval. Of financial years no limit is listed: the public service falls back to a week. */
const PAID = {
  "5m": 30,
  "30m": 180,
  "1h": 365,
  "1d": 3650,
  "7d": 3650,
  "1M": 36_500,
  "3M": 36_500,
  season: 36_500,
  "1y": 36_500,
};

/** `GET /v4/plans`, a bare array, as on the public service. -1 means no limit. */
export const PLANS = [
  {
    code: "COMMUNITY",
    name: "Community",
    description: "For hobbyists and initial experiments",
    price: "Free",
    daily_credits: 500,
    burst_rate_limit: "2/s",
    key_limit: 1,
    bucket_limits: {
      "5m": 8,
      "30m": 16,
      "1h": 32,
      "1d": 366,
      "7d": 366,
      "1M": 732,
      "3M": 1830,
      season: 1830,
      "1y": 3700,
    },
    period_limit_days: 730,
    historical_data: "2 years",
    license: "Non-commercial use",
    features: ["Community support"],
    visible: true,
    cta: "upgrade",
  },
  {
    code: "ACADEMIC",
    name: "Academic",
    description: "For researchers and students at accredited institutions",
    price: "Free",
    daily_credits: 2000,
    burst_rate_limit: "2/s",
    key_limit: 5,
    bucket_limits: PAID,
    period_limit_days: -1,
    historical_data: "Full",
    license: "Non-commercial use",
    features: ["Community support"],
    visible: true,
    cta: "academic",
  },
  {
    code: "ENTERPRISE",
    name: "Enterprise",
    description: "For organisations that need full access and support",
    price: "Custom",
    daily_credits: -1,
    burst_rate_limit: "10/s",
    key_limit: -1,
    bucket_limits: PAID,
    period_limit_days: -1,
    historical_data: "Full",
    license: "Commercial use",
    features: ["Priority email support"],
    visible: true,
    cta: "contact",
  },
];

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

/** `GET /v4/facilities/`: facilities with the units that match the filters, without fields that have no value. */
export function listFacilities(query: URLSearchParams, now: number) {
  const data = REGIONS.flatMap(({ code: network_region, network: network_id, facilities }) =>
    facilities.flatMap((facility) => {
      const { code, name, location } = facility;
      const units = UNITS.filter((unit) => unit.facility === facility && isWanted(unit, query));
      const described = units.map((unit) => describeUnit(unit, now));
      return units.length === 0 ? [] : [{ code, name, network_id, network_region, location, units: described }];
    }),
  );
  if (data.length === 0) throw refuse(404, "No data available: no facilities match the filters.");
  return {
    version: SERVICE_VERSION,
    created_at: new Date(now).toISOString(),
    success: true,
    data,
    total_records: data.length,
  };
}

/** A missing filter matches everything. */
function isWanted({ facility, region, status, fueltech }: ModelUnit, query: URLSearchParams): boolean {
  const filters: Record<string, readonly unknown[]> = {
    facility_code: [facility?.code],
    network_id: [region.network, "AU"],
    network_region: [region.code],
    status_id: [status],
    fueltech_id: [fueltech],
    fueltech_group_id: [FUELTECH_GROUP_OF[fueltech]],
  };
  return Object.entries(filters).every(
    ([name, own]) => !query.has(name) || query.getAll(name).some((value) => own.includes(value)),
  );
}

/** Solar farms are often registered larger than they may feed in, and coal units pass their registered capacity. */
function findMaximum({ fueltech, megawatts }: ModelUnit): number {
  const share = fueltech === "solar_utility" ? 0.8 : fueltech.startsWith("coal_") ? 1.04 : 1;
  return Math.round(megawatts * share * 10) / 10;
}

function describeUnit(unit: ModelUnit, now: number) {
  const { network } = unit.region;
  const newest = stepOfInstant(now, network) - 1;
  const timestamp = (step: Step) => formatTimestamp(localOfStep(step), NETWORKS[network].offsetMinutes);
  const first = unit.spans[0]?.first ?? Number.POSITIVE_INFINITY;
  const hasData = first <= newest;
  return {
    code: unit.code,
    fueltech_id: unit.fueltech,
    status_id: unit.status,
    capacity_registered: unit.megawatts,
    capacity_maximum: findMaximum(unit),
    capacity_storage: unit.storage,
    commencement_date: unit.from,
    closure_date: unit.to,
    max_generation: hasData ? findMaximum(unit) : undefined,
    emissions_factor_co2: EMISSION_FACTORS[unit.fueltech],
    data_first_seen: hasData ? timestamp(first) : undefined,
    data_last_seen: hasData ? timestamp(Math.min(unit.spans.at(-1)!.last, newest)) : undefined,
    dispatch_type: unit.fueltech === "battery_charging" ? "LOAD" : "GENERATOR",
  };
}
