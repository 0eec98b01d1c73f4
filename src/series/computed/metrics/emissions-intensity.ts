/** Emissions intensity: 1,000 times tonnes, divided by MWh; of what generates only. */
import type { TimeSeries } from "../../time-series.ts";
import { createComputed, divide, generates, leaveEmpty, pairSeries, type MetricContext } from "../ratio.ts";
import { divideTotals } from "../totals.ts";

const KILOGRAMS = 1000;

export function computeIntensity(timeSeries: readonly TimeSeries[], { query, fuelOf }: MetricContext): TimeSeries[] {
  const pairs = pairSeries(timeSeries, ["emissions", "energy"]);
  if (query.computation.isTotal) return createComputed("emissions_intensity", divideTotals(pairs, { factor: KILOGRAMS }));
  return createComputed(
    "emissions_intensity",
    pairs.map((pair) => ({ ...pair, points: generates(fuelOf(pair.series)) ? divide(pair, KILOGRAMS) : leaveEmpty(pair) })),
  );
}
