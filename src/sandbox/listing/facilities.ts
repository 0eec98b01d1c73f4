import { formatStamp } from "../../time/local-time.ts";
import { FUELTECH_GROUP_OF } from "../../base/fueltechs.ts";
import { NETWORKS } from "../../base/vocabulary.ts";
import type { FleetFacility } from "../fleet/facility.ts";
import { type Region, REGIONS } from "../fleet/regions.ts";
import { refuse, SERVICE_VERSION } from "../refusal.ts";
import { localOfStep, stepOfInstant } from "../model/clock.ts";
import { type ModelUnit, UNITS } from "../model/units.ts";
import { EMISSION_FACTORS } from "../series/unit-values.ts";

/** `GET /v4/facilities/`: facilities with the units that match the filters; what is not set is left out. */
export function listFacilities(query: URLSearchParams, now: number) {
  const data = REGIONS.flatMap((region) =>
    region.facilities.flatMap((facility) => describeFacility({ region, facility }, query, now) ?? []),
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

function describeFacility(place: { region: Region; facility: FleetFacility }, query: URLSearchParams, now: number) {
  const { region, facility } = place;
  const isListed =
    matches(query, "facility_code", [facility.code]) &&
    matches(query, "network_id", [region.network, "AU"]) &&
    matches(query, "network_region", [region.code]);
  const units = UNITS.filter((unit) => unit.facility === facility && isListed && matchesUnit(query, unit));
  if (units.length === 0) return undefined;
  return {
    code: facility.code,
    name: facility.name,
    network_id: region.network,
    network_region: region.code,
    location: { lat: facility.latitude, lng: facility.longitude },
    units: units.map((unit) => describeUnit(unit, region, now)),
  };
}

function matchesUnit(query: URLSearchParams, unit: ModelUnit): boolean {
  const group = FUELTECH_GROUP_OF[unit.fueltech];
  return (
    matches(query, "status_id", [unit.status]) &&
    matches(query, "fueltech_id", [unit.fueltech]) &&
    matches(query, "fueltech_group_id", group === null ? [] : [group])
  );
}

/** A missing filter matches everything. */
function matches(query: URLSearchParams, name: string, values: readonly string[]): boolean {
  const wanted = query.getAll(name);
  return wanted.length === 0 || wanted.some((each) => values.includes(each));
}

function describeUnit(unit: ModelUnit, region: Region, now: number) {
  const { offsetMinutes } = NETWORKS[region.network];
  const newest = Math.min(unit.last, stepOfInstant(now, region.network) - 1);
  const stamp = (step: number) => formatStamp(localOfStep(step), offsetMinutes);
  const hasData = unit.first <= newest;
  return {
    code: unit.code,
    fueltech_id: unit.fueltech,
    status_id: unit.status,
    capacity_registered: unit.megawatts,
    capacity_maximum: unit.megawatts,
    capacity_storage: unit.storage,
    emissions_factor_co2: EMISSION_FACTORS[unit.fueltech],
    data_first_seen: hasData ? stamp(unit.first) : undefined,
    data_last_seen: hasData ? stamp(newest) : undefined,
    dispatch_type: unit.fueltech === "battery_charging" ? "LOAD" : "GENERATOR",
  };
}
