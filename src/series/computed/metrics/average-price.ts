/** Average price: market value divided by energy. By fueltech or unit, that is the capture price; of charging, what a MWh cost. */
import { BATTERY } from "../../../base/fueltechs.ts";
import type { TimeSeries } from "../../time-series.ts";
import { createComputed, divide, leaveEmpty, pairSeries, type MetricContext } from "../ratio.ts";
import { divideTotals } from "../totals.ts";

export function computePrice(timeSeries: readonly TimeSeries[], { query, fuelOf }: MetricContext): TimeSeries[] {
  const pairs = pairSeries(timeSeries, ["market_value", "energy"]);
  // Energy without a market value would lower the price.
  if (query.computation.isTotal) return createComputed("average_price", divideTotals(pairs, { factor: 1, needsBoth: true }));
  return createComputed(
    "average_price",
    pairs.map((pair) => ({ ...pair, points: fuelOf(pair.series) === BATTERY.net ? leaveEmpty(pair) : divide(pair, 1) })),
  );
}
