import { formatTimestamp } from "../../time/local-time.ts";
import { FUELTECH_GROUP_OF } from "../../base/fueltechs.ts";
import { NETWORKS } from "../../base/vocabulary.ts";
import { REGIONS } from "../fleet/regions.ts";
import { localOfStep, type Step, stepOfInstant } from "../model/clock.ts";
import { type ModelUnit, UNITS } from "../model/units.ts";
import { refuse, SERVICE_VERSION } from "../refusal.ts";
import { EMISSION_FACTORS } from "../series/region-values.ts";

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
    emissions_factor_co2: EMISSION_FACTORS[unit.fueltech],
    data_first_seen: hasData ? timestamp(first) : undefined,
    data_last_seen: hasData ? timestamp(Math.min(unit.spans.at(-1)!.last, newest)) : undefined,
    dispatch_type: unit.fueltech === "battery_charging" ? "LOAD" : "GENERATOR",
  };
}
