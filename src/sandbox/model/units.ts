import type { Fueltech } from "../../base/fueltechs.ts";
import type { FleetFacility, FleetUnit } from "../fleet/facility.ts";
import { REGIONS, type Region } from "../fleet/regions.ts";
import { type StepRange, type Step, STEPS_PER_DAY, stepsOfDates } from "./clock.ts";
import { seedOf } from "./noise.ts";

/** A unit with its region and its lifetime in steps, both ends inclusive. */
export interface ModelUnit extends FleetUnit {
  readonly index: number;
  readonly region: number;
  /** Undefined for the rooftop solar of a region, which belongs to no facility. */
  readonly facility: FleetFacility | undefined;
  readonly seed: number;
  readonly first: Step;
  readonly last: Step;
  readonly outageFirst: Step;
  readonly outageLast: Step;
  /** The lifetime without the outage: when there are data. */
  readonly spans: readonly StepRange[];
  /** For the three units of a battery, the index of the net unit; else -1. */
  readonly battery: number;
}

const NEVER = Number.POSITIVE_INFINITY;

export const REGION_STARTS: readonly Step[] = REGIONS.map((region) => stepsOfDates({ from: region.from })[0]);

export const UNITS: readonly ModelUnit[] = buildUnits();
export const UNITS_OF_REGION: readonly (readonly ModelUnit[])[] = REGIONS.map((_, region) =>
  UNITS.filter((unit) => unit.region === region),
);

const RENEWABLES: ReadonlySet<Fueltech> = new Set([
  "bioenergy_biogas",
  "bioenergy_biomass",
  "hydro",
  "solar_rooftop",
  "solar_thermal",
  "solar_utility",
  "wind",
  "wind_offshore",
]);

export function isRenewable(unit: FleetUnit): boolean {
  return RENEWABLES.has(unit.fueltech);
}

/** Whether a unit counts in a total: of a battery, the net unit only. */
export function countsInTotal(unit: FleetUnit): boolean {
  return unit.fueltech !== "battery_charging" && unit.fueltech !== "battery_discharging";
}

/** Whether the unit can run on a day of the model: in operation and without an outage. */
export function isAvailable(unit: ModelUnit, day: number): boolean {
  const start = day * STEPS_PER_DAY;
  const alive = unit.first < start + STEPS_PER_DAY && unit.last >= start;
  return alive && !(unit.outageFirst < start + STEPS_PER_DAY && unit.outageLast >= start);
}

function buildUnits(): ModelUnit[] {
  const listed = REGIONS.flatMap((region, index) => [
    ...region.facilities.flatMap((facility) => facility.units.map((unit) => ({ unit, facility, index }))),
    { unit: rooftopOf(region), facility: undefined, index },
  ]);
  return listed.map(({ unit, facility, index }, position) => {
    const net =
      unit.storage === undefined ? -1 : listed.findIndex((other) => other.facility === facility && other.unit.fueltech === "battery");
    return { ...unit, ...stepsOfUnit(unit, index), index: position, region: index, facility, seed: seedOf(unit.code), battery: net };
  });
}

function rooftopOf(region: Region): FleetUnit {
  const from = region.from > "2010-01-01" ? region.from : "2010-01-01";
  return { code: `ROOFTOP_${region.code}`, fueltech: "solar_rooftop", megawatts: 0, status: "operating", from };
}

function stepsOfUnit(unit: FleetUnit, index: number) {
  const region = REGIONS[index]!;
  const from = unit.from !== undefined && unit.from > region.from ? unit.from : region.from;
  const [first, last] = unit.status === "committed" ? [NEVER, -NEVER] : stepsOfDates({ from, to: unit.to });
  const [outageFirst, outageLast] = unit.outage ? stepsOfDates({ from: unit.outage[0], to: unit.outage[1] }) : [NEVER, -NEVER];
  const spans = unit.outage
    ? [
        { first, last: outageFirst - 1 },
        { first: outageLast + 1, last },
      ]
    : [{ first, last }];
  return { first, last, outageFirst, outageLast, spans };
}
