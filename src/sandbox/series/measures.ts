import type { Metric } from "../../base/vocabulary.ts";

/** How a metric's 5-minute integers become the printed value of a bucket. */
export interface Measure {
  /** `mean` is over the 5-minute values that are there. */
  readonly aggregate: "sum" | "mean";
  /** Printed units of 0.0001 in one integer. */
  readonly scale: number;
}

/** Integers are 0.0001 MWh an interval; 12 intervals an hour make MW of them. */
const POWER: Measure = { aggregate: "mean", scale: 12 };
const ENERGY: Measure = { aggregate: "sum", scale: 1 };
/** Integers are 0.0001 %. A coarse share is the mean of the 5-minute shares. */
const SHARE: Measure = { aggregate: "mean", scale: 1 };

export const MEASURES: Readonly<Record<Metric, Measure>> = {
  power: POWER,
  energy: ENERGY,
  /** Integers are cents. */
  price: { aggregate: "mean", scale: 100 },
  market_value: { aggregate: "sum", scale: 100 },
  demand: POWER,
  demand_energy: ENERGY,
  demand_gross: POWER,
  demand_gross_energy: ENERGY,
  generation_renewable: POWER,
  generation_renewable_energy: ENERGY,
  curtailment: POWER,
  curtailment_energy: ENERGY,
  curtailment_solar_utility: POWER,
  curtailment_solar_utility_energy: ENERGY,
  curtailment_wind: POWER,
  curtailment_wind_energy: ENERGY,
  /** Integers are 0.0001 t. */
  emissions: ENERGY,
  renewable_proportion: SHARE,
  pollution: ENERGY,
  /** A level, 0.0001 MWh: a coarse bucket has the mean level. */
  storage_battery: { aggregate: "mean", scale: 1 },
  generation_renewable_with_storage: POWER,
  generation_renewable_with_storage_energy: ENERGY,
  renewable_with_storage_proportion: SHARE,
  flow_imports: POWER,
  flow_exports: POWER,
  flow_imports_energy: ENERGY,
  flow_exports_energy: ENERGY,
};

/** The printed value of a bucket of `count` values that add up to `sum`, to 4 decimals. */
export function printedValue(measure: Measure, sum: number, count: number): number {
  const divisor = measure.aggregate === "mean" ? count : 1;
  return Math.round((sum * measure.scale) / divisor) / 10_000;
}
