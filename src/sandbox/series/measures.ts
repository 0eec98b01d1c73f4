import type { Metric } from "../../base/vocabulary.ts";

/** How a metric's 5-minute integers are aggregated to the value of a bucket. */
export interface Measure {
  /** `mean`: of the 5-minute values that are not null. */
  readonly aggregate: "sum" | "mean";
  /** Units of 0.0001 of the printed value per integer. */
  readonly scale: number;
}

/** Integers are 0.0001 MWh per interval; MW are 12 times that. */
const POWER: Measure = { aggregate: "mean", scale: 12 };
const ENERGY: Measure = { aggregate: "sum", scale: 1 };
/** Integers are 0.0001 %. */
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
  /** Integers are 0.0001 MWh of stored energy. */
  storage_battery: { aggregate: "mean", scale: 1 },
  generation_renewable_with_storage: POWER,
  generation_renewable_with_storage_energy: ENERGY,
  renewable_with_storage_proportion: SHARE,
  flow_imports: POWER,
  flow_exports: POWER,
  flow_imports_energy: ENERGY,
  flow_exports_energy: ENERGY,
};

/** The value of a bucket of `count` values with this sum, to 4 decimals. */
export function printedValue(measure: Measure, sum: number, count: number): number {
  const divisor = measure.aggregate === "mean" ? count : 1;
  return Math.round((sum * measure.scale) / divisor) / 10_000;
}
