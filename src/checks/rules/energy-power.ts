import { lengthOf } from "../../base/intervals.ts";
import { HOUR } from "../../time/local-time.ts";
import { compareAll, keyOfSeries, pairSeries, readAt, type Rule } from "../check.ts";

export const energyPower: Rule = {
  name: "energy-power",
  says: "energy is mean power × hours (within 10 % or 5 MWh)",
  needs: "power and energy of the same series, at 1h or coarser",
  source: "MWh = MW × h",
  find: ({ series }) => {
    const coarse = series.filter(({ interval }) => lengthOf(interval) >= HOUR);
    const pairs = pairSeries(
      coarse.filter(({ unit }) => unit === "MWh"),
      coarse.filter(({ unit }) => unit === "MW"),
      (one) => powerOf(one.metric) + keyOfSeries(one),
    );
    if (pairs.length === 0) return undefined;
    return pairs.flatMap(([energy, power]) => {
      const expectedAt = (instant: number) => (readAt(power, instant) * (energy.next(instant) - instant)) / HOUR;
      return compareAll(energy, expectedAt, { share: 0.1, least: 5 });
    });
  },
};

/** `power` of `energy`, `demand` of `demand_energy`; otherwise the metric itself. */
function powerOf(metric: string): string {
  return metric === "energy" ? "power" : metric.replace(/_energy$/, "");
}
