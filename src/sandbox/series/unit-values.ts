import type { Fueltech, Metric } from "../../vocabulary.ts";
import { STEPS_PER_DAY, type Step } from "../model/clock.ts";
import type { Row } from "../model/rows.ts";
import type { SystemDay } from "../model/system.ts";
import type { ModelUnit } from "../model/units.ts";
import type { DayValues } from "./series.ts";

/** Tonnes of CO2 equivalent per MWh; what is not listed emits nothing. */
export const EMISSION_FACTORS: Partial<Record<Fueltech, number>> = {
  coal_black: 0.89,
  coal_brown: 1.18,
  distillate: 0.78,
  gas_ccgt: 0.39,
  gas_ocgt: 0.6,
  gas_recip: 0.52,
  gas_steam: 0.57,
  gas_wcmg: 0.51,
};

const CENTS_PER_GRID = 1e-4;

/** Adds a unit's values of the day, each rounded by itself, so that a group is exactly the sum of its units. */
export function addUnit(unit: ModelUnit, metric: Metric, given: { day: SystemDay; into: DayValues }): void {
  const { day, into } = given;
  const start = day.day * STEPS_PER_DAY;
  if (unit.first >= start + STEPS_PER_DAY || unit.last < start) return;
  const value = readValue(unit, metric, day);
  for (const [from, to] of spansOfDay(unit, start)) {
    for (let i = from; i < to; i++) {
      into.values[i]! += value(i);
      into.present[i] = 1;
    }
  }
}

function readValue(unit: ModelUnit, metric: Metric, day: SystemDay): (i: number) => number {
  if (metric === "storage_battery") return readRow(day.level(unit));
  const output = day.output(unit);
  if (metric === "emissions") {
    const factor = EMISSION_FACTORS[unit.fueltech] ?? 0;
    return (i) => Math.round(output[i]! * factor);
  }
  if (metric === "market_value") {
    const price = day.price(unit.region);
    return (i) => Math.round(output[i]! * price[i]! * CENTS_PER_GRID);
  }
  return readRow(output);
}

function readRow(row: Row): (i: number) => number {
  return (i) => row[i]!;
}

/** The parts of the day, as [from, to) in its intervals, in which the unit is alive and not out. */
function spansOfDay(unit: ModelUnit, start: Step): (readonly [number, number])[] {
  const from = Math.max(0, unit.first - start);
  const to = Math.min(STEPS_PER_DAY, unit.last + 1 - start);
  const outFrom = Math.max(from, unit.outageFirst - start);
  const outTo = Math.min(to, unit.outageLast + 1 - start);
  if (outFrom >= outTo) return [[from, to]];
  return [[from, outFrom], [outTo, to]];
}
