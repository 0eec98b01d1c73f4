/** Emissions intensity: 1,000 times tonnes, divided by MWh; of what generates only. */
import { BATTERY } from "../../../base/fueltechs.ts";
import type { TimeSeries } from "../../time-series.ts";
import { computeRows, type MetricContext, sumPart } from "../computed-series.ts";

const KILOGRAMS = 1000;
/** What a battery gives has no emissions of its own. */
const STORAGE: readonly unknown[] = [BATTERY.discharging, BATTERY.net];

export function computeIntensity(context: MetricContext): TimeSeries[] {
  return computeRows("emissions_intensity", context, {
    parts: ["emissions", "energy"],
    fill: ([emissions, energy], { fuel }) => [
      emissions ?? (STORAGE.includes(fuel) && energy !== undefined ? "0" : undefined),
      energy,
    ],
    divide: ({ counted }) => ({ over: KILOGRAMS * sumPart(counted, 0), under: sumPart(counted, 1) }),
  });
}
