/**
 * What the public service is known to change soon (the code, changelog and issues of OpenElectricity, November 2026).
 */
import { isComputed, ALL_METRICS } from "./computed-metrics.ts";

const HOUR = 3_600_000;

/**
 * Rooftop solar comes 30 to 60 minutes after the rest, and by the half hour before March 2025: a value at most this far
 * away, before or after, shows that it is late, not missing. In milliseconds.
 */
export const ROOFTOP_REACH = 2 * HOUR;
/** Until then, what is made with rooftop solar counts its last value on, then zero. */
const ROOFTOP_SETTLES = 1.5 * HOUR;
/** Power and prices of the WEM come as dispatch targets, which metered values replace after 24 to 48 hours. */
export const LONGEST_PROVISIONAL = 48 * HOUR;

const OF_ROOFTOP = /^(?:demand_gross|generation_renewable|renewable_)/;
const METERED: readonly string[] = ["power", "energy", "price"];

/** How long after the end of their interval values of a metric may change, in milliseconds; 0 if nothing is known. */
export function findProvisional(network: string, metric: string): number {
  const parts: readonly string[] = isComputed(metric) ? (ALL_METRICS[metric]?.parts ?? []) : [metric];
  if (network === "WEM" && parts.some((part) => METERED.includes(part))) return LONGEST_PROVISIONAL;
  return OF_ROOFTOP.test(metric) || (isComputed(metric) && metric !== "capacity_factor") ? ROOFTOP_SETTLES : 0;
}
