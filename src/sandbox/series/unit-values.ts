import type { Fueltech } from "../../base/fueltechs.ts";
import type { Metric } from "../../base/vocabulary.ts";
import { STEPS_PER_DAY } from "../model/clock.ts";
import type { DayRow } from "../model/rows.ts";
import type { SystemDay } from "../model/system.ts";
import type { ModelUnit } from "../model/units.ts";
import { type DayValues, intervalsOf } from "./series.ts";

/** Tonnes of CO2 equivalent per MWh; others are 0. */
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

/** Adds a unit's values of the day, rounded per unit, so that a group is exactly the sum of its units. */
export function addUnit(unit: ModelUnit, metric: Metric, { day, into }: { day: SystemDay; into: DayValues }): void {
  const today = unit.spans.map((span) => intervalsOf(span, day.day)).filter(({ from, to }) => from < to);
  if (today.length === 0) return;
  const row = readRow(unit, metric, day);
  for (const { from, to } of today) {
    for (let i = from; i < to; i++) into.values[i]! += row[i]!;
    into.present.fill(1, from, to);
  }
}

function readRow(unit: ModelUnit, metric: Metric, day: SystemDay): DayRow {
  if (metric === "storage_battery") return day.level(unit);
  const output = day.output(unit);
  if (metric === "emissions") return emissionsOf(output, EMISSION_FACTORS[unit.fueltech] ?? 0);
  if (metric === "market_value") return valueOf(output, day.price(unit.region));
  return output;
}

function emissionsOf(output: DayRow, factor: number): DayRow {
  const tonnes = new Float64Array(STEPS_PER_DAY);
  for (let i = 0; i < tonnes.length; i++) tonnes[i] = Math.round(output[i]! * factor);
  return tonnes;
}

function valueOf(output: DayRow, price: DayRow): DayRow {
  const cents = new Float64Array(STEPS_PER_DAY);
  for (let i = 0; i < cents.length; i++) cents[i] = Math.round(output[i]! * price[i]! * CENTS_PER_GRID);
  return cents;
}
