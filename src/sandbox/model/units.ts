import type { FleetFacility, FleetUnit } from "../fleet/facility.ts";
import { REGIONS, type Region } from "../fleet/regions.ts";
import { type StepRange, stepsOfDates } from "./clock.ts";
import { seedOf } from "./noise.ts";

export interface ModelUnit extends FleetUnit {
  readonly region: Region;
  /** Undefined for the rooftop solar of a region, which belongs to no facility. */
  readonly facility: FleetFacility | undefined;
  readonly seed: number;
  /** Periods with data, in complete days: the lifetime without the outage. */
  readonly spans: readonly StepRange[];
}

/** All units; their codes are unique. */
export const UNITS: readonly ModelUnit[] = REGIONS.flatMap((region) => [
  ...region.facilities.flatMap((facility) => facility.units.map((unit) => modelUnit(unit, region, facility))),
  modelUnit(rooftopOf(region), region, undefined),
]);

function rooftopOf(region: Region): FleetUnit {
  return {
    code: `ROOFTOP_${region.code}`,
    fueltech: "solar_rooftop",
    megawatts: 0,
    status: "operating",
    from: "2010-01-01",
  };
}

function modelUnit(unit: FleetUnit, region: Region, facility: FleetFacility | undefined): ModelUnit {
  return { ...unit, region, facility, seed: seedOf(unit.code), spans: spansOf(unit, region) };
}

function spansOf(unit: FleetUnit, region: Region): StepRange[] {
  if (unit.status === "committed") return [];
  const from = unit.from !== undefined && unit.from > region.from ? unit.from : region.from;
  const [first, last] = stepsOfDates({ from, to: unit.to });
  if (unit.outage === undefined) return [{ first, last }];
  const [outageFirst, outageLast] = stepsOfDates({ from: unit.outage[0], to: unit.outage[1] });
  return [
    { first, last: outageFirst - 1 },
    { first: outageLast + 1, last },
  ];
}
