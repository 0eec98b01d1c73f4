/** Demand-weighted price: the price of an interval, whose means are weighted by demand. */
import type { TimeSeries } from "../../time-series.ts";
import { computeRows, type MetricContext, sumPart } from "../computed-series.ts";

export function computeWeightedPrice(context: MetricContext): TimeSeries[] {
  return computeRows("demand_weighted_price", context, {
    parts: ["price", "demand"],
    divide: ({ counted: [own] }) => {
      const [price, under] = [0, 1].map((part) => sumPart(own ? [own] : [], part)) as [number, number];
      return { over: price * under, under, value: Number.isNaN(price * under) ? null : (own?.values[0] ?? null) };
    },
  });
}
