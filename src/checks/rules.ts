import { batteryNet } from "./rules/battery-net.ts";
import { capacity } from "./rules/capacity.ts";
import { dayHours } from "./rules/day-hours.ts";
import { energyPower } from "./rules/energy-power.ts";
import { nightSolar } from "./rules/night-solar.ts";
import { priceLimits } from "./rules/price-limits.ts";
import { proportions } from "./rules/proportions.ts";
import { regions } from "./rules/regions.ts";
import type { Rule } from "./check.ts";

export const RULES: readonly Rule[] = [
  energyPower,
  regions,
  batteryNet,
  dayHours,
  nightSolar,
  capacity,
  priceLimits,
  proportions,
];
