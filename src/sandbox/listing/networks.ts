import { NETWORKS } from "../../base/vocabulary.ts";
import { REGIONS } from "../fleet/regions.ts";

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
