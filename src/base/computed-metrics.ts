/** Metrics that ents computes from others, and all metrics by name. */
import { type CommandName, DATA, MARKET, type Metric, metric, type MetricFacts, METRICS } from "./vocabulary.ts";

export interface ComputedFacts extends MetricFacts {
  /** The metrics that it is made of, which are asked for in its place. */
  readonly parts: readonly Metric[];
}

/** The metrics that ents computes, from the sums of the same interval and labels. */
export const COMPUTED_METRICS = {
  emissions_intensity: {
    ...metric("kg/MWh", "Emissions per MWh of what generates", DATA),
    parts: ["emissions", "energy"],
  },
  average_price: {
    ...metric(
      "$/MWh",
      "Market value per MWh, weighted by generation (rooftop included); by fueltech or unit, the capture price",
      DATA,
    ),
    parts: ["market_value", "energy"],
  },
  demand_weighted_price: {
    ...metric(
      "$/MWh",
      "Price whose means are weighted by demand, as in market reports; by region, 1h and finer",
      MARKET,
    ),
    parts: ["price", "demand"],
  },
  capacity_factor: {
    ...metric("%", "Energy, of what the maximum capacity (else the registered one) could have generated", [
      "facilities",
    ]),
    parts: ["energy"],
  },
  share: {
    ...metric("%", "Share of what generates, discharging included; needs -g fueltech, fueltech_group or renewable", [
      "network",
    ]),
    parts: ["energy"],
  },
  net_imports: {
    ...metric("MW", "Imports less exports of a region; below zero, it exports", MARKET),
    parts: ["flow_imports", "flow_exports"],
  },
} as const satisfies Record<string, ComputedFacts>;

export type ComputedMetric = keyof typeof COMPUTED_METRICS;

export function isComputed(name: string): name is ComputedMetric {
  return Object.hasOwn(COMPUTED_METRICS, name);
}

/** True for a metric that ents divides: ratios neither add up nor have a value where a part has none. */
export function isRatio(name: string): boolean {
  return isComputed(name) && /[/%]/.test(COMPUTED_METRICS[name].unit);
}

/** All metrics by name: the service's, then those that ents computes. */
export const ALL_METRICS: Readonly<Record<string, MetricFacts & Partial<ComputedFacts>>> = {
  ...METRICS,
  ...COMPUTED_METRICS,
};

/** The metrics that the public service offers with a command, or that ents computes of those. */
export function listMetricsOf(command: CommandName): readonly string[] {
  return Object.keys(ALL_METRICS).filter((name) => ALL_METRICS[name]?.offeredBy.includes(command));
}

/**
 * `Forecast of rooftop solar (not in v4, but in OpenElectricity 4.5.17 and later)`, `Share of what generates (computed
 * from energy)`
 */
export function describeMeaning({ meaning, since, parts }: MetricFacts & Partial<ComputedFacts>): string {
  if (parts) return `${meaning} (computed from ${parts.join(" and ")})`;
  return since === undefined ? meaning : `${meaning} (not in v4, but in OpenElectricity ${since} and later)`;
}

/** True for a metric of the service, or one that ents computes. */
export function isMetric(name: string): boolean {
  return Object.hasOwn(ALL_METRICS, name);
}
