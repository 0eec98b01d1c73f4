/**
 * Average price: market value divided by the energy of the intervals that have both, so it is weighted by generation.
 * By fueltech or unit, that is the capture price; of charging, what a MWh cost.
 */
import { BATTERY } from "../../../base/fueltechs.ts";
import type { TimeSeries } from "../../time-series.ts";
import { NOTHING } from "../align.ts";
import { computeRows, type MetricContext, sumPart } from "../computed-series.ts";

export function computePrice(context: MetricContext): TimeSeries[] {
  const { groups } = context.query.computation;
  // Of several loads, only charging is one thing.
  const isSummed = groups !== undefined && !groups.includes("fueltech");
  return computeRows("average_price", context, {
    parts: ["market_value", "energy"],
    isOfLoads: true,
    divide: ({ row, counted }) => {
      if (row.isLoad && isSummed && counted.some(({ member }) => member.fuel !== BATTERY.charging)) return NOTHING;
      // Energy without a market value would lower the price.
      const both = counted.filter(({ values }) => !values.includes(undefined));
      return { over: sumPart(both, 0), under: sumPart(both, 1) };
    },
  });
}
