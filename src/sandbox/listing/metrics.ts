import { type CommandName, type Metric, METRICS, NETWORKS } from "../../base/vocabulary.ts";
import { MEASURES } from "../series/measures.ts";
import { REGIONS } from "../fleet/regions.ts";

/** `GET /v4/metrics`. */
export function listSandboxMetrics() {
  const names = Object.keys(METRICS) as Metric[];
  const described = names.map((name) => {
    const { unit, meaning } = METRICS[name];
    return [
      name,
      { name, unit, description: meaning, default_aggregation: MEASURES[name].aggregate === "sum" ? "sum" : "avg", precision: 4 },
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

const FACTS = {
  NEM: { label: "National Electricity Market", timezone: "Australia/Brisbane" },
  WEM: { label: "Wholesale Electricity Market", timezone: "Australia/Perth" },
  AU: { label: "Australia", timezone: "Australia/Brisbane" },
} as const satisfies Record<keyof typeof NETWORKS, object>;

/** `GET /v4/networks`, a bare array. AU has the regions of both networks. */
export function listNetworks() {
  const codes = Object.keys(NETWORKS) as (keyof typeof NETWORKS)[];
  return codes.map((code) => {
    const regions = REGIONS.filter((region) => code === "AU" || region.network === code);
    return { code, country: "au", ...FACTS[code], interval_size: 5, regions: regions.map((region) => ({ code: region.code })) };
  });
}
