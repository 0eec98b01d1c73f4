/** The facts about units that metrics and sums of a query are computed with. */
import { findNetwork } from "../base/vocabulary.ts";
import { groupBy } from "../base/group-by.ts";
import { formatList } from "../base/phrases.ts";
import { type Facility, listDistinct, listUnits, type PlacedUnit } from "../facilities/facility.ts";
import { type Computation, type Fleet, type FleetUnit, BASE_INTERVAL } from "../query/computation.ts";
import { findValues } from "../query/parameters.ts";
import type { PickedUnit, Query } from "../query/query.ts";
import { formatOffset } from "../time/local-time.ts";
import { parseTimestamp } from "../time/timestamp.ts";
import type { CodeList } from "./stored-codes.ts";

/** The codes of units that the list has in several facilities, of which only one can count them. */
export function listShared({ requested }: Fleet, facilities: readonly Facility[]): string[] {
  const homes = groupBy(listUnits(facilities), ({ unit }) => unit.code);
  return requested.flatMap(({ code, labels }) => {
    const names = listDistinct((homes.get(code) ?? []).map(({ facility }) => facility.code));
    return names.length > 1
      ? `the list has ${code} in ${formatList(names, "and")}; it counts in ${String(labels.facility_code)} alone`
      : [];
  });
}

/** `picked`: units that flags pick; undefined if the query asks by codes. */
export function createFleet(
  { facilities, receivedAt }: CodeList,
  query: Query & { readonly computation: Computation },
  picked: readonly PickedUnit[] | undefined,
): Fleet {
  const { network, computation } = query;
  const listed = listUnits(
    facilities.filter((facility) => facility.network === network || findNetwork(network)?.isComposite),
  );
  const [homes, codes] = ["facility_code", "unit_code"].map((name) => findValues(query, name));
  const isRequested = ({ facility, unit }: PlacedUnit) =>
    picked
      ? picked.some((one) => one.unit === unit.code && one.facility === facility.code)
      : (homes?.includes(facility.code) ?? true) && (codes?.includes(unit.code) ?? true);
  const placed = listed.map((one) => ({ isRequested: isRequested(one), unit: describeUnit(one, computation) }));
  const requested = placed.filter((one) => one.isRequested).map(({ unit }) => unit);
  // A code may belong to several facilities.
  const units = new Map([...placed.map(({ unit }) => unit), ...requested].map((unit) => [unit.code, unit]));
  return { units, requested: [...new Set(requested.map(({ code }) => units.get(code) as FleetUnit))], receivedAt };
}

function describeUnit({ facility, unit }: PlacedUnit, { capacity }: Computation): FleetUnit {
  const offset = findNetwork(facility.network)?.offsetMinutes;
  const suffix = offset === undefined ? "Z" : formatOffset(offset);
  const toInstant = (timestamp: string | undefined) =>
    timestamp === undefined ? undefined : parseTimestamp(timestamp, suffix);
  const megawatts = (capacity === "registered" ? undefined : unit.capacityMaximum) ?? unit.capacity;
  const last = toInstant(unit.lastData);
  return {
    code: unit.code,
    labels: {
      facility_code: facility.code,
      fueltech: unit.fueltech ?? null,
      region: facility.region ?? null,
      status: unit.status ?? null,
    },
    fueltech: unit.fueltech,
    isLoad: unit.isLoad,
    capacity: Number(megawatts) > 0 ? Number(megawatts) : undefined,
    first: toInstant(unit.firstData),
    last: last === undefined ? undefined : last + BASE_INTERVAL,
    isRetired: unit.status === "retired",
  };
}
